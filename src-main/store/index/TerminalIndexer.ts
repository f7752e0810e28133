import { asDiskError } from '../files/Disk.ts';
import { recordFileSize } from '../files/openRecordFile.ts';
import type { SessionFolder } from '../record/SessionFolder.ts';
import { blockDoc, type Doc, messageDoc, stampOfDoc, wordsOf } from './docs.ts';
import type { Entry, IndexWriter, Reach, Source } from './IndexWriter.ts';
import { linesAfter, linesBefore, markAt, type SourceLine, wholeSize } from './sourceLines.ts';

/** What goes into one transaction, which nothing else of the thread can interrupt: some 30 ms of work. */
const MAX_ENTRIES = 200;
const MAX_CHARS = 1024 * 1024;
/** To end a slice before its texts are read. */
const GUESSED_LINE_CHARS = 60;

/**
 * Brings the index up to what the files of one terminal hold, a slice at a time. The files are read from the end that they had when
 * the terminal was first seen: back to the start, and on as they grow. What has been read is written with what was found, so
 * that work goes on where a kill cut it off. Throws for what the disk refuses; a terminal that is gone has nothing new.
 */
export class TerminalIndexer {
  readonly #writer: IndexWriter;
  readonly #folder: SessionFolder;
  readonly #terminal: number;
  /** Resolves when nothing is being done: two steps at once would each write how far it has come. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(writer: IndexWriter, folder: SessionFolder) {
    this.#writer = writer;
    this.#folder = folder;
    this.#terminal = writer.terminal(folder.id);
  }

  /** Bytes of the two lists, how many of them are in the index, and whether there is anything to do. */
  async progress(): Promise<{ seen: number; all: number; isBehind: boolean }> {
    const progress = { seen: 0, all: 0, isBehind: false };
    for (const source of ['blocks', 'chat'] as const) {
      const { from, to } = this.#writer.reach(this.#terminal, source);
      const size = (await this.#size(source)) ?? 0;
      progress.seen += Math.min(size, to - from);
      progress.all += size;
      progress.isBehind ||= from > 0 || size !== to; // a shorter file is another one
    }
    return progress;
  }

  /** The files had something when the terminal was first seen, and not all of that is read: `older` has work to do. */
  get hasOlder(): boolean {
    return (['blocks', 'chat'] as const).some((source) => this.#writer.reach(this.#terminal, source).from > 0);
  }

  /** What came since; false when there is nothing. */
  newer(): Promise<boolean> {
    return this.#inTurn(async () => (await this.#forward('blocks')) || this.#forward('chat'));
  }

  /** What was there before; false when all is read. */
  older(): Promise<boolean> {
    return this.#inTurn(async () => (await this.#backward('blocks')) || this.#backward('chat'));
  }

  /** The text of what waits for its end, as far as it has come. Blocks only when another has begun since, so they cannot run. */
  settle(): Promise<void> {
    return this.#inTurn(() => this.#settle());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#turn.then(work);
    this.#turn = own.catch(() => undefined); // who asked is told
    return own;
  }

  async #settle(): Promise<void> {
    const entries: Entry[] = [];
    for (const isMessage of [false, true]) {
      for (const { lineAt, lineBytes } of this.#writer.open(this.#terminal, isMessage)) {
        const [line] = await linesAfter(this.#path(isMessage ? 'chat' : 'blocks'), lineAt);
        if (!line || line.end !== lineAt + lineBytes) continue; // the file was made anew: it will be read again
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
    if (from === reach.from) from = 0; // nothing whole stands before it
    const entries: Entry[] = [];
    for (const doc of docs.values()) entries.push(await this.#entry(doc));
    await this.#put(source, entries, { from, to: reach.to });
    return true;
  }

  async #put(source: Source, entries: readonly Entry[], { from, to }: { from: number; to: number }): Promise<void> {
    const mark = await markAt(this.#path(source), to);
    this.#writer.put(this.#terminal, entries, { source, reach: { from, to, mark } });
  }

  /** The doc with its words, unless those that are in the index are still right. A message that streams waits to be settled. */
  async #entry(doc: Doc, { isSettled = false } = {}): Promise<Entry> {
    if (doc.isMessage && doc.isOpen && !isSettled) return { doc, stamp: '', words: null };
    const known = this.#writer.known(this.#terminal, doc.isMessage, doc.id);
    const stamp = stampOfDoc(this.#folder, doc);
    const isSame = known !== undefined && known.stamp === stamp && known.cmd === doc.cmd;
    return { doc, stamp, words: isSame ? null : await wordsOf(this.#folder, doc) };
  }

  /** How far the file was read; when it is another one than that, nothing of it was. */
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
