import { asDiskError } from '../files/Disk.ts';
import { recordFileSize } from '../files/openRecordFile.ts';
import type { SessionFolder } from '../record/SessionFolder.ts';
import { blockDoc, type Doc, messageDoc, stampOfDoc, wordsOf } from './docs.ts';
import type { Entry, IndexWriter, Reach, Source } from './IndexWriter.ts';
import { linesAfter, linesBefore, markAt, type SourceLine, wholeSize } from './sourceLines.ts';

/** Limits of one transaction, which blocks the thread for about 30 ms. */
const MAX_ENTRIES = 200;
const MAX_CHARS = 1024 * 1024;
/** Estimates the text of a block before it is read, to end a slice in time. */
const GUESSED_LINE_CHARS = 60;

/**
 * Updates the index from the files of one terminal, a slice at a time. It reads the files from the end that they had when
 * it first saw the terminal: backward to the start, and forward as they grow. It writes the range it has read together with the docs,
 * so that work resumes where a kill stopped it. Throws errors of the disk; a deleted terminal has nothing new.
 */
export class TerminalIndexer {
  readonly #writer: IndexWriter;
  readonly #folder: SessionFolder;
  readonly #terminal: number;
  /** Runs one step at a time: two concurrent steps would overwrite each other's range. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(writer: IndexWriter, folder: SessionFolder) {
    this.#writer = writer;
    this.#folder = folder;
    this.#terminal = writer.terminal(folder.id);
  }

  /** Bytes of the two source files, how many of them are indexed, and whether there is work to do. */
  async progress(): Promise<{ seen: number; all: number; isBehind: boolean }> {
    const progress = { seen: 0, all: 0, isBehind: false };
    for (const source of ['blocks', 'chat'] as const) {
      const { from, to } = this.#writer.reach(this.#terminal, source);
      const size = (await this.#size(source)) ?? 0;
      progress.seen += Math.min(size, to - from);
      progress.all += size;
      progress.isBehind ||= from > 0 || size !== to; // a shorter file is a different file
    }
    return progress;
  }

  /** True while `older` has work: part of what the files had when the terminal was first seen is not indexed. */
  get hasOlder(): boolean {
    return (['blocks', 'chat'] as const).some((source) => this.#writer.reach(this.#terminal, source).from > 0);
  }

  /** Indexes newer lines; false if there are none. */
  newer(): Promise<boolean> {
    return this.#inTurn(async () => (await this.#forward('blocks')) || this.#forward('chat'));
  }

  /** Indexes older lines; false if there are none left. */
  older(): Promise<boolean> {
    return this.#inTurn(async () => (await this.#backward('blocks')) || this.#backward('chat'));
  }

  /** Indexes the text of open docs as far as it has come; of blocks only those after which another one began, so they cannot run. */
  settle(): Promise<void> {
    return this.#inTurn(() => this.#settle());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#turn.then(work);
    this.#turn = own.catch(() => undefined); // the caller gets the error
    return own;
  }

  async #settle(): Promise<void> {
    const entries: Entry[] = [];
    for (const isMessage of [false, true]) {
      for (const { lineAt, lineBytes } of this.#writer.open(this.#terminal, isMessage)) {
        const [line] = await linesAfter(this.#path(isMessage ? 'chat' : 'blocks'), lineAt);
        if (!line || line.end !== lineAt + lineBytes) continue; // the file was replaced: it will be read again
        const doc = isMessage ? messageDoc(line) : blockDoc(line);
        if (!doc) continue;
        const settled = isMessage ? doc : { ...doc, isOpen: false, status: 'unknown_end' };
        entries.push(await this.#entry(settled, { isSettled: true }));
      }
    }
    if (entries.some(({ words }) => words !== null)) this.#writer.put(this.#terminal, entries);
  }

  async #forward(source: Source): Promise<boolean> {
    const reach = await this.#checkedReach(source);
    const lines = await linesAfter(this.#path(source), reach.to);
    const docs = new Map<string, Doc>();
    let end = reach.to;
    let chars = 0;
    for (const line of lines) {
      const doc = docOf(source, line);
      if (doc) docs.set(doc.id, doc); // the later line wins
      end = line.end;
      chars += (line.line?.length ?? 0) + (doc?.outLines ?? 0) * GUESSED_LINE_CHARS;
      if (docs.size >= MAX_ENTRIES || chars >= MAX_CHARS) break;
    }
    if (end === reach.to) return false;
    const entries: Entry[] = [];
    for (const doc of docs.values()) entries.push(await this.#entry(doc));
    await this.#put(source, entries, { from: reach.from, to: end });
    return true;
  }

  async #backward(source: Source): Promise<boolean> {
    const reach = await this.#checkedReach(source);
    if (reach.from === 0) return false;
    const docs = new Map<string, Doc>();
    let from = reach.from;
    let chars = 0;
    for (const line of await linesBefore(this.#path(source), reach.from)) {
      const doc = docOf(source, line);
      if (doc && !docs.has(doc.id) && !this.#writer.known(this.#terminal, doc.isMessage, doc.id)) docs.set(doc.id, doc);
      from = line.at;
      chars += (line.line?.length ?? 0) + (doc?.outLines ?? 0) * GUESSED_LINE_CHARS;
      if (docs.size >= MAX_ENTRIES || chars >= MAX_CHARS) break;
    }
    if (from === reach.from) from = 0; // no whole line precedes it
    const entries: Entry[] = [];
    for (const doc of docs.values()) entries.push(await this.#entry(doc));
    await this.#put(source, entries, { from, to: reach.to });
    return true;
  }

  async #put(source: Source, entries: readonly Entry[], { from, to }: { from: number; to: number }): Promise<void> {
    const mark = await markAt(this.#path(source), to);
    this.#writer.put(this.#terminal, entries, { source, reach: { from, to, mark } });
  }

  /** Returns the doc with its words, or without them if the indexed ones are current. A streaming message waits for `settle`. */
  async #entry(doc: Doc, { isSettled = false } = {}): Promise<Entry> {
    if (doc.isMessage && doc.isOpen && !isSettled) return { doc, stamp: '', words: null };
    const known = this.#writer.known(this.#terminal, doc.isMessage, doc.id);
    const stamp = stampOfDoc(this.#folder, doc);
    const isSame = known !== undefined && known.stamp === stamp && known.cmd === doc.cmd;
    return { doc, stamp, words: isSame ? null : await wordsOf(this.#folder, doc) };
  }

  /** Returns the range that was read; forgets the file's docs if it is a different file now. */
  async #checkedReach(source: Source): Promise<Reach> {
    const reach = this.#writer.reach(this.#terminal, source);
    if (reach.mark !== '' && reach.mark === (await markAt(this.#path(source), reach.to))) return reach;
    if (reach.to > 0) while (this.#writer.forgetSome(this.#terminal, source));
    const end = await wholeSize(this.#path(source));
    const fresh = { from: end, to: end, mark: await markAt(this.#path(source), end) };
    if (end === 0) return fresh;
    this.#writer.put(this.#terminal, [], { source, reach: fresh });
    return fresh;
  }

  async #size(source: Source): Promise<number | null> {
    try {
      return await recordFileSize(this.#path(source));
    } catch (error) {
      if (asDiskError(error).code === 'ENOTDIR') return null;
      throw error;
    }
  }

  #path(source: Source): string {
    return source === 'blocks' ? this.#folder.blocksJsonl : this.#folder.chatJsonl;
  }
}

function docOf(source: Source, line: SourceLine): Doc | null {
  return source === 'blocks' ? blockDoc(line) : messageDoc(line);
}
