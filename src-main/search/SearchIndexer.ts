import { stat } from 'node:fs/promises';
import { setTimeout as rest } from 'node:timers/promises';
import type { IndexProgress } from '../contract/search.ts';
import { hasRoom } from '../store/index/hasRoom.ts';
import { IndexFile, IndexUnusable } from '../store/index/IndexFile.ts';
import { IndexWriter } from '../store/index/IndexWriter.ts';
import { indexerOf, type SourceIndexer, sourceIds } from '../store/index/sourcesOf.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import type { Log } from '../util/Log.ts';
import { detach } from '../util/strayErrors.ts';
import { HeldAnswer } from './HeldAnswer.ts';

/** A core that floods the disk must not wait for the index: after a slice of work the thread rests as long as the slice took, at most this long. */
const MAX_REST_MS = 60;
/** Shortest time between looks for terminals of other processes (an import, a recording), which happen at searches. */
const LOOK_EVERY_MS = 2_000;
/** Most time for indexing the newest text before a search. */
const FRESHEN_MS = 400;
/** Enough for a terminal that is a moment old: a slice of its blocks, one of its messages, and one that finds no more. */
const FRESHEN_SLICES = 3;
/** A streaming message counts as finished after this time without a change. */
const SETTLE_AFTER_MS = 5_000;
/** Time for which the answer about free disk space is cached, because it takes a system call. */
const ROOM_HOLDS_MS = 1_000;
/** After so many damages in one process the index is abandoned, because the disk is at fault. */
const MAX_REBUILDS = 3;

/**
 * Keeps index.sqlite up to date with the files, in the background: poked terminals first, then older ones, the last used one first. Only the process
 * that owns the data folder may run it. Rebuilds a missing, old or damaged index. On a disk that is nearly full it rests, and searches read the
 * files.
 */
export class SearchIndexer {
  readonly #dataFolder: string;
  readonly #log: Log;
  readonly #room: HeldAnswer;
  #index: IndexFile | null = null;
  #writer: IndexWriter | null = null;
  readonly #indexers = new Map<string, SourceIndexer>();
  readonly #poked = new Set<string>();
  /** Number of pokes in progress: their text is not in the index yet. */
  #taking = 0;
  /** Terminals that were poked since the start, so that they and their conversations have a writer. */
  readonly #live = new Set<string>();
  /** Terminals whose past is not complete in the index, newest first. */
  #behind: string[] = [];
  #isLookDue = true;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** The missing terminals are known. */
  #hasLooked = false;
  #hasForgotten = false;
  #rebuilds = 0;
  #working: Promise<void> | null = null;
  #settling: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(dataFolder: string, log: Log, room: () => boolean = () => hasRoom(dataFolder)) {
    this.#dataFolder = dataFolder;
    this.#log = log;
    this.#room = new HeldAnswer(room, {
      holdsMs: ROOM_HOLDS_MS,
      onChange: (isThere) => this.#log(isThere ? 'index_goes_on' : 'index_rests', { reason: 'disk space' }),
    });
  }

  /** The index for reading, or null while it is not usable. Get it again for each statement, because it may be rebuilt in between. */
  get index(): IndexFile | null {
    if (!this.#room.value) return null;
    if (!this.#index && !this.#isClosed) this.#open();
    return this.#index;
  }

  /** The disk is nearly full. */
  get isResting(): boolean {
    return !this.#room.value;
  }

  /** Null when the index is complete. */
  async progress(): Promise<IndexProgress | null> {
    if (this.#hasLooked && this.#behind.length === 0 && this.#poked.size + this.#taking === 0) return null;
    const total = { seen: 0, all: 0 };
    for (const id of sourceIds(this.#dataFolder)) {
      const { seen, all } = (await this.#indexer(id)?.progress()) ?? { seen: 0, all: 0 };
      total.seen += seen;
      total.all += all;
    }
    return total;
  }

  poke(terminalId: string): void {
    this.#poked.add(terminalId);
    this.#live.add(terminalId);
    this.#wake();
  }

  look(): void {
    this.#isLookDue = true;
    this.#wake();
  }

  /** Indexes the newest text, as far as possible within FRESHEN_MS. */
  async freshen(): Promise<void> {
    const endMs = performance.now() + FRESHEN_MS;
    if (!this.index) return;
    if (performance.now() - this.#lookedMs > LOOK_EVERY_MS) this.look();
    while (!this.#hasLooked && this.#working && performance.now() < endMs) await rest(5);
    for (const id of this.#live) this.#poked.add(id);
    while (this.#poked.size > 0 && performance.now() < endMs) await this.#takePoke();
    for (const id of this.#live)
      for (let slice = 0; slice < FRESHEN_SLICES && this.#behind.includes(id) && performance.now() < endMs; slice++)
        await this.#careful(id, () => this.#catchUp(id));
    if (this.#poked.size + this.#behind.length > 0) this.#wake();
    // always includes a conversation that streams now, because a search could not detect its missing end
    for (const id of this.#writer?.withOpen() ?? [])
      if (this.#live.has(id) || performance.now() < endMs) await this.#settle(id);
  }

  /** Resolves when all work is done. */
  async settled(): Promise<void> {
    this.#wake();
    while (this.#working) await this.#working;
    for (const id of this.#writer?.withOpen() ?? []) await this.#settle(id);
  }

  /** Deletes a damaged index, and builds it again from the files. */
  rebuild(reason: string): void {
    this.#log('index_rebuilt', { reason });
    this.#rebuilds += 1;
    this.#letGo();
    IndexFile.remove(this.#dataFolder);
    this.look();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#settling) clearTimeout(this.#settling);
    await this.#working;
    if (this.#index) await this.freshen(); // includes the last output of the shells, so that the next reader need not read the files
    this.#letGo();
  }

  #open(): void {
    if (this.#rebuilds > MAX_REBUILDS) return;
    try {
      this.#index = IndexFile.open(this.#dataFolder);
      this.#writer = new IndexWriter(this.#index);
    } catch (error) {
      this.#rebuilds += 1;
      this.#log('index_not_opened', { reason: reasonOf(error) });
    }
  }

  #letGo(): void {
    this.#index?.close();
    this.#index = null;
    this.#writer = null;
    this.#indexers.clear();
    this.#behind = [];
    this.#hasLooked = false;
  }

  #wake(): void {
    if (this.#isClosed || this.#working) return;
    this.#working = this.#work().finally(() => {
      this.#working = null;
    });
  }

  async #work(): Promise<void> {
    for (let isBusy = true; isBusy && !this.#isClosed; ) {
      const startMs = performance.now();
      isBusy = await this.#step();
      if (isBusy) await rest(Math.min(MAX_REST_MS, performance.now() - startMs));
    }
    this.#settleLater();
  }

  /** One slice of the most urgent work. False when all is done. */
  async #step(): Promise<boolean> {
    if (!this.index || !this.#writer) return false;
    if (this.#poked.size > 0) return this.#takePoke();
    if (this.#isLookDue) return this.#careful(null, () => this.#lookAll());
    const [id] = this.#behind;
    if (id !== undefined) return this.#careful(id, () => this.#catchUp(id));
    if (this.#hasForgotten) await this.#careful(null, async () => this.#tidy());
    return false;
  }

  async #takePoke(): Promise<boolean> {
    const [id] = this.#poked;
    if (id === undefined) return false;
    this.#poked.delete(id);
    this.#taking += 1;
    try {
      return await this.#careful(id, async () => {
        const indexer = this.#indexer(id);
        if (await indexer?.newer()) this.#poked.add(id);
        // a new terminal that already has lines: index those too
        if (indexer?.hasOlder && !this.#behind.includes(id)) this.#behind.unshift(id);
        return true;
      });
    } finally {
      this.#taking -= 1;
    }
  }

  async #catchUp(id: string): Promise<boolean> {
    const indexer = this.#indexer(id);
    if (!indexer || (await indexer.newer()) || (await indexer.older())) return true;
    await indexer.settle();
    this.#behind = this.#behind.filter((one) => one !== id);
    return true;
  }

  #tidy(): boolean {
    this.#hasForgotten = false;
    this.#writer?.tidy();
    return false;
  }

  /** Removes deleted terminals and lists incomplete ones. */
  async #lookAll(): Promise<boolean> {
    this.#isLookDue = false;
    this.#lookedMs = performance.now();
    const ids = sourceIds(this.#dataFolder);
    for (const { num, id } of this.#writer?.terminals() ?? []) {
      if (ids.includes(id)) continue;
      this.#indexers.delete(id);
      this.#live.delete(id);
      while (this.#writer?.forgetSome(num)) await rest(0);
      this.#hasForgotten = true;
    }
    const behind: { id: string; usedMs: number }[] = [];
    for (const id of ids) {
      if ((await this.#indexer(id)?.progress())?.isBehind)
        behind.push({ id, usedMs: await changedMs(new SessionFolder(this.#dataFolder, id)) });
    }
    this.#behind = behind.sort((a, b) => b.usedMs - a.usedMs).map(({ id }) => id);
    this.#hasLooked = true;
    return true;
  }

  #settle(id: string): Promise<boolean> {
    return this.#careful(id, async () => {
      await this.#indexer(id)?.settle();
      return true;
    });
  }

  #settleLater(): void {
    if (this.#isClosed || !this.#writer) return;
    if (this.#settling) clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      for (const id of this.#writer?.withOpen() ?? []) detach('SearchIndexer', this.#settle(id));
    }, SETTLE_AFTER_MS);
    this.#settling.unref();
  }

  #indexer(id: string): SourceIndexer | null {
    if (!this.index || !this.#writer) return null;
    const known = this.#indexers.get(id);
    if (known) return known;
    const made = indexerOf(this.#writer, this.#dataFolder, id);
    this.#indexers.set(id, made);
    return made;
  }

  /** Rebuilds a damaged index; leaves an unreadable terminal until the next look. True if there may be more to do. */
  async #careful(id: string | null, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof IndexUnusable) this.rebuild(reasonOf(error));
      else this.#log('index_slice_failed', { terminalId: id, reason: reasonOf(error) });
      this.#behind = this.#behind.filter((one) => one !== id);
      return id !== null;
    }
  }
}

async function changedMs(folder: SessionFolder): Promise<number> {
  const times = await Promise.all(
    [folder.blocksJsonl, folder.chatJsonl].map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0, // a terminal without one of them
      ),
    ),
  );
  return Math.max(...times);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
