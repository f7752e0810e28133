import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { PAST_ID } from '../../contract/pastId.ts';
import { PastFile, pastPath } from '../past/PastFile.ts';
import { type PastMessage, uncoveredOf } from '../past/readMessages.ts';
import { messageText } from './docs.ts';
import { foldText } from './foldText.ts';
import type { Entry, IndexWriter } from './IndexWriter.ts';

/** A guess of what a conversation weighs beside the files of terminals, in their bytes. */
const CONVERSATION_BYTES = 20_000;

/**
 * Brings the index up to the imported conversations: one after the other, in the order in which they changed. A conversation's docs are `<conversation>.<message>`.
 */
export class PastIndexer {
  readonly #writer: IndexWriter;
  readonly #dataFolder: string;
  readonly #terminal: number;
  readonly hasOlder = false;

  constructor(writer: IndexWriter, dataFolder: string) {
    this.#writer = writer;
    this.#dataFolder = dataFolder;
    this.#terminal = writer.terminal(PAST_ID);
  }

  async progress(): Promise<{ seen: number; all: number; isBehind: boolean }> {
    const { to } = this.#reach();
    const last = pastReach(this.#dataFolder)?.to ?? 0;
    return { seen: Math.min(to, last) * CONVERSATION_BYTES, all: last * CONVERSATION_BYTES, isBehind: to !== last };
  }

  /** The next conversation that has changed; false when there is none. */
  async newer(): Promise<boolean> {
    const file = PastFile.openToRead(this.#dataFolder);
    if (!file) return false;
    try {
      const { to } = this.#reach();
      const change = file.get<{ seq: number; conversation: number }>(
        'SELECT seq, conversation FROM changes WHERE seq > ? ORDER BY seq LIMIT 1',
        to,
      );
      if (!change) return false;
      await this.#index(file, change.conversation);
      const mark = markOf(this.#dataFolder);
      this.#writer.put(this.#terminal, [], { source: 'chat', reach: { from: 0, to: change.seq, mark } });
      return true;
    } finally {
      file.close();
    }
  }

  /** All is read in one direction. */
  async older(): Promise<boolean> {
    return false;
  }

  async settle(): Promise<void> {
    return; // nothing streams
  }

  async #index(file: PastFile, conversation: number): Promise<void> {
    const gone = new Set(this.#writer.idsFrom(this.#terminal, `${conversation}.`));
    for (const page of uncoveredOf(file, conversation)) {
      this.#writer.put(
        this.#terminal,
        page.map((message) => this.#entry(message)),
      );
      for (const { num } of page) gone.delete(`${conversation}.${num}`);
      await setImmediate(); // a search may come between two pages
    }
    this.#writer.forgetDocs(this.#terminal, [...gone]);
  }

  #entry({ num, conversation, atMs, text, tool }: PastMessage): Entry {
    const all = messageText({ text, ...(tool && { tool }) });
    const id = `${conversation}.${num}`;
    const stamp = createHash('sha1').update(all).digest('base64').slice(0, 16);
    const isSame = this.#writer.known(this.#terminal, true, id)?.stamp === stamp;
    const words = isSame ? null : { cmd: '', output: '', chat: foldText(all), isLeftOut: false };
    const nothing = { cmd: null, cwd: null, exitCode: null, status: null, outLines: 0, lineAt: 0, lineBytes: 0 };
    return { doc: { id, isMessage: true, atMs, place: num, ...nothing, isOpen: false, text: all }, stamp, words };
  }

  /** How far the file was read; where it is another one than that, nothing of it was. */
  #reach(): { to: number } {
    const reach = this.#writer.reach(this.#terminal, 'chat');
    if (reach.to === 0 || reach.mark === markOf(this.#dataFolder)) return reach;
    while (this.#writer.forgetSome(this.#terminal, 'chat'));
    return { to: 0 };
  }
}

/** How far an index reaches that has all of the imported conversations; null where nothing was imported. */
export function pastReach(dataFolder: string): { to: number; mark: string } | null {
  let file: PastFile | null = null;
  try {
    file = PastFile.openToRead(dataFolder);
    if (!file) return null;
    const to = file.get<{ last: number | null }>('SELECT max(seq) AS last FROM changes')?.last ?? 0;
    return { to, mark: markOf(dataFolder) };
  } catch {
    return null; // damaged, or of a later version: History says so
  } finally {
    file?.close();
  }
}

function markOf(dataFolder: string): string {
  return String(statSync(pastPath(dataFolder), { throwIfNoEntry: false })?.ino ?? '');
}
