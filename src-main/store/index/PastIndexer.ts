import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { PAST_ID } from '../../contract/pastId.ts';
import { PastFile, pastPath } from '../past/PastFile.ts';
import { type PastMessage, uncoveredOf } from '../past/readMessages.ts';
import { messageText } from './docs.ts';
import { foldText } from './foldText.ts';
import type { Entry, IndexWriter } from './IndexWriter.ts';

/** Estimated size of a conversation in bytes, to compare it with the files of terminals. */
const CONVERSATION_BYTES = 20_000;

/**
 * Indexes the imported conversations one after the other, in the order in which they changed. Ids of a conversation's docs are `<conversation>.<message>`.
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

  /** Indexes the next changed conversation; false if there is no more. */
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

  /** Always false: this source is read in one direction only. */
  async older(): Promise<boolean> {
    return false;
  }

  async settle(): Promise<void> {
    return; // this source has no stream
  }

  async #index(file: PastFile, conversation: number): Promise<void> {
    const gone = new Set(this.#writer.idsFrom(this.#terminal, `${conversation}.`));
    for (const page of uncoveredOf(file, conversation)) {
      this.#writer.put(
        this.#terminal,
        page.map((message) => this.#entry(message)),
      );
      for (const { num } of page) gone.delete(`${conversation}.${num}`);
      await setImmediate(); // this lets a search run between two pages
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

  /** Returns the position up to which the file was indexed; 0 if it is another file than before. */
  #reach(): { to: number } {
    const reach = this.#writer.reach(this.#terminal, 'chat');
    if (reach.to === 0 || reach.mark === markOf(this.#dataFolder)) return reach;
    while (this.#writer.forgetSome(this.#terminal, 'chat'));
    return { to: 0 };
  }
}

/** Returns the position that a complete index has reached; null before the first import. */
export function pastReach(dataFolder: string): { to: number; mark: string } | null {
  let file: PastFile | null = null;
  try {
    file = PastFile.openToRead(dataFolder);
    if (!file) return null;
    const to = file.get<{ last: number | null }>('SELECT max(seq) AS last FROM changes')?.last ?? 0;
    return { to, mark: markOf(dataFolder) };
  } catch {
    return null; // the file is damaged or of a later version, which History reports
  } finally {
    file?.close();
  }
}

function markOf(dataFolder: string): string {
  return String(statSync(pastPath(dataFolder), { throwIfNoEntry: false })?.ino ?? '');
}
