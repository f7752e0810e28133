import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamItem } from '../../contract/terminal.ts';
import type { CoreConnection } from '../../hosts/web/connectCore.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { detach } from '../../util/strayErrors.ts';
import { isOfMachine } from '../record/LiveCore.ts';
import type { AttachedScreen } from './AttachedScreen.ts';
import { DetachKeys, type KeySequence } from './detachKeys.ts';
import { KeySender } from './KeySender.ts';
import type { LocalTerminal, Size } from './LocalTerminal.ts';

export interface AttachOptions {
  terminalId: string;
  /** Name of the terminal in the title. */
  label: string;
  replay: 'state' | 'raw' | 'none';
  isReadOnly: boolean;
  keys: KeySequence;
}

/** How it ended. `signal` null: the local terminal was closed. */
export type Ended =
  | { by: 'detach' }
  | { by: 'exit'; exitCode: number | null; signal: string | null }
  | { by: 'signal'; signal: NodeJS.Signals | null }
  | { by: 'loss'; reason: string };

/** Limits of the core (contract/terminal.ts). */
const SIDE = { min: 2, max: 1000 };
/** Minimum time between frames of a terminal with another size. */
const DRAW_EVERY_MS = 16;
/** A healthy core takes the last keys within milliseconds. */
const LAST_KEYS_MS = 1_000;

/** One terminal of the core on the local one: shows its stream, and sends keys and sizes. */
export class Attachment {
  readonly #core: CoreConnection;
  readonly #local: LocalTerminal;
  readonly #screen: AttachedScreen;
  readonly #options: AttachOptions;
  readonly #detachKeys: DetachKeys;
  readonly #ended = Promise.withResolvers<Ended>();
  readonly #keys: KeySender;
  /** The screen is covered by the reason why keys were refused, so it must be drawn again. */
  #isCovered = false;
  #viewerId = '';
  #stop: (() => void) | null = null;
  /** Note about the size in the title once we have set the title; null before. */
  #titleNote: string | null = null;
  #drawing: NodeJS.Timeout | null = null;

  constructor(core: CoreConnection, parts: { local: LocalTerminal; screen: AttachedScreen }, options: AttachOptions) {
    this.#core = core;
    this.#local = parts.local;
    this.#screen = parts.screen;
    this.#options = options;
    this.#detachKeys = new DetachKeys(options.keys);
    this.#keys = new KeySender(core, options.terminalId, (error) => this.#refused(error));
  }

  /** Shows the terminal until it ends. Does not restore the local terminal. */
  async run(): Promise<Ended> {
    this.#local.take({
      keys: (bytes) => this.#typed(bytes),
      resize: () => this.#resized(),
      resumed: () => this.#follow('state'),
      leave: () => this.#screen.leave(),
      ending: (signal) => this.#ended.resolve({ by: 'signal', signal }),
    });
    this.#core.lost.catch((error: unknown) => this.#ended.resolve({ by: 'loss', reason: messageOf(error) }));
    this.#title();
    this.#follow(this.#options.replay, this.#options.isReadOnly ? undefined : wanted(this.#local.size));
    const ended = await this.#ended.promise;
    // Keys typed before detaching are for the program, but the connection ends with the process.
    if (ended.by === 'detach') await Promise.race([this.#keys.last, sleep(LAST_KEYS_MS)]);
    this.#stop?.();
    if (this.#drawing) clearTimeout(this.#drawing);
    return ended;
  }

  /** Starts a stream. The previous one ends after this one has started, so that the core never counts us as gone. */
  #follow(replay: AttachOptions['replay'], size?: Size): void {
    const viewerId = randomUUID();
    const following = this.#core.api.terminal.stream.subscribe(
      { id: this.#options.terminalId, viewerId, replay, ...(size && { size }) },
      {
        onData: (item) => {
          if (item.type === 'state' || item.type === 'replay') this.#began(viewerId, () => following.unsubscribe());
          if (viewerId === this.#viewerId) this.#take(item);
        },
        onError: (error) => this.#ended.resolve({ by: 'loss', reason: error.message }),
      },
    );
  }

  #began(viewerId: string, stop: () => void): void {
    if (viewerId === this.#viewerId) return;
    this.#stop?.();
    this.#viewerId = viewerId;
    this.#stop = stop;
  }

  #take(item: StreamItem): void {
    if (this.#isCovered && item.type !== 'exit') {
      this.#isCovered = false; // the machine is connected again
      return this.#follow('state');
    }
    switch (item.type) {
      case 'state':
      case 'replay':
        this.#show(this.#screen.start(item), () => this.#ack(item.offset));
        return this.#title();
      case 'bytes': {
        const bytes = Buffer.from(item.data, 'base64');
        return this.#show(this.#screen.show(bytes), () => this.#ack(item.offset + bytes.length));
      }
      case 'resize':
        return this.#terminalResized(item);
      case 'exit':
        return this.#ended.resolve({ by: 'exit', exitCode: item.exitCode, signal: item.signal });
      case 'mark': // the program's own marks are not visible
    }
  }

  #show(data: Uint8Array, taken: () => void): void {
    this.#local.write(data, taken);
    this.#drawSoon();
  }

  #drawSoon(): void {
    if (this.#screen.otherSize === null) return;
    this.#drawing ??= setTimeout(() => {
      this.#drawing = null;
      this.#local.write(this.#screen.draw());
    }, DRAW_EVERY_MS);
  }

  #terminalResized(size: Size): void {
    if (!this.#screen.terminalResized(size)) return this.#follow('state');
    this.#title();
    this.#drawSoon();
  }

  /** If we own the size, the core's answer brings the bytes for it. Otherwise the space around the terminal changes. */
  #resized(): void {
    const { terminalId, isReadOnly } = this.#options;
    const { size } = this.#local;
    if (!isReadOnly)
      detach('Attachment', this.#send(this.#core.api.terminal.resize.mutate({ id: terminalId, ...wanted(size) })));
    this.#screen.localResized(size);
    this.#drawSoon();
    if (this.#screen.otherSize !== null || isReadOnly) this.#follow('state');
  }

  #typed(bytes: Uint8Array): void {
    const { passed, isDetached } = this.#detachKeys.feed(bytes);
    if (!this.#options.isReadOnly) this.#keys.send(passed);
    if (isDetached) this.#ended.resolve({ by: 'detach' });
  }

  /** Of a machine that is not connected. Other errors need no words: a closed terminal reports by its exit, and a lost core by `lost`. */
  #refused(error: unknown): void {
    if (!isOfMachine(error)) return;
    this.#isCovered = true;
    this.#local.write(coverText(messageOf(error), this.#local.size));
  }

  #ack(offset: number): void {
    const ack = { id: this.#options.terminalId, viewerId: this.#viewerId, offset };
    detach('Attachment', this.#send(this.#core.api.terminal.ack.mutate(ack)));
  }

  /** Ignores errors: a closed terminal reports by its exit, and a lost core by `lost`. */
  async #send(sent: Promise<unknown>): Promise<void> {
    await sent.catch(() => undefined);
  }

  #title(): void {
    const other = this.#screen.otherSize;
    const note = other ? ` (${other.cols}×${other.rows}, sized by another window; type to take over)` : '';
    if (note === this.#titleNote) return;
    this.#titleNote = note;
    this.#local.title(`${this.#options.label} – Hansard${note}`);
  }
}

function wanted({ cols, rows }: Size): Size {
  const clamp = (cells: number) => Math.max(SIDE.min, Math.min(SIDE.max, cells));
  return { cols: clamp(cols), rows: clamp(rows) };
}

/** A line at the bottom of the screen, in place of what is there, and a bell. The cursor and its attributes stay. */
function coverText(text: string, { cols, rows }: Size): string {
  const line = escapeLine(text).slice(0, Math.max(0, cols - 1));
  return `\x1b7\x1b[?6l\x1b(B\x1b[0;7m\x1b[${rows};1H${line}\x1b[0m\x1b[K\x1b8\x07`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
