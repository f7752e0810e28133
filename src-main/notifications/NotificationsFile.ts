import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Notification } from '../contract/window/notification.ts';
import { readJsonFile, replaceFile } from '../store/files/replaceFile.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';
import { SerialQueue } from '../util/SerialQueue.ts';
import { detach } from '../util/strayErrors.ts';

/** A flood of notifications is written twice a second. */
const WRITE_EVERY_MS = 500;

/** notifications.json in the data folder: the notifications of this machine, newest first. */
export const NotificationsJson = z.object({
  version: z.literal(1),
  notifications: z.array(
    z.object({
      seq: z.int(),
      kind: z.enum(['command', 'program', 'agentAsks', 'agentDone']),
      terminalId: z.string(),
      blockId: z.nullable(z.string()),
      title: z.string(),
      body: z.string(),
      exitCode: z.nullable(z.int()),
      durationMs: z.nullable(z.number()),
      atMs: z.number(),
      isRead: z.boolean(),
    }),
  ),
});

export interface NotificationsFileSpec {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keeps the list of notifications over a restart. Not synced, and a write that fails is only logged: the record has what they are about. */
export class NotificationsFile {
  readonly #spec: NotificationsFileSpec;
  readonly #writes = new SerialQueue();
  #due: readonly Notification[] | null = null;
  #timer: IDisposable | null = null;
  #isClosed = false;

  constructor(spec: NotificationsFileSpec) {
    this.#spec = spec;
  }

  /** An unreadable file counts as empty; it is kept under another name. Never rejects. */
  async read(): Promise<readonly Notification[]> {
    try {
      const read = await readJsonFile(this.#path, NotificationsJson);
      if (read.status === 'ok') return read.value.notifications;
      if (read.status === 'bad')
        this.#spec.log('notifications_unreadable', { reason: read.reason, keptAs: read.keptAs });
    } catch (error) {
      this.#spec.log('notifications_unreadable', { reason: String(error) });
    }
    return [];
  }

  /** Writes the list within half a second, or a later one that comes before. */
  write(list: readonly Notification[]): void {
    if (this.#isClosed) return;
    this.#due = list;
    this.#timer ??= this.#spec.clock.after(WRITE_EVERY_MS, () => {
      this.#timer = null;
      detach('NotificationsFile', this.#flush());
    });
  }

  /** Writes what is due, and nothing later; resolves when it is written or has failed. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.dispose();
    return this.#flush();
  }

  #flush(): Promise<void> {
    return this.#writes.run(async () => {
      const list = this.#due;
      this.#due = null;
      if (list === null) return;
      const json = `${JSON.stringify({ version: 1, notifications: list })}\n`;
      await replaceFile(this.#path, json, { fsync: false }).catch((error: unknown) =>
        this.#spec.log('notifications_unwritten', { reason: String(error) }),
      );
    });
  }

  get #path(): string {
    return join(this.#spec.dataFolder, 'notifications.json');
  }
}
