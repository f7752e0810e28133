import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { QueuedTurn, type SpanRecord } from '../contract/telemetry.ts';
import { replaceFile } from '../store/files/replaceFile.ts';
import { sweepTemporaries } from '../store/files/sweepTemporaries.ts';
import { SerialQueue } from '../util/SerialQueue.ts';

/** `<start in ms, 15 digits>-<trace id>.json`. Sorted names have the oldest turn first, and a turn that is queued twice is one file. */
const NAME = /^\d{15}-[0-9a-f]{32}\.json$/;
/** A file counts as one disk block at least, because many small files need more room than their bytes. */
const LEAST_FILE_BYTES = 4096;

/** A turn that waits. `bytes` is its size for the limit. */
export interface Waiting {
  readonly name: string;
  readonly bytes: number;
}

export interface SpanQueueSpec {
  /** The folder telemetry/queue. */
  readonly folder: string;
  limitBytes(): number;
  /** Of a terminal that has become private nothing leaves, also what waited before. */
  isPrivate(terminalId: string): boolean;
  /** Turns were given up: the queue is full, or a file in it cannot be read. Called before they are removed. */
  onDropped(count: number, why: 'full' | 'unreadable'): void;
}

/** Holds turns that wait for the collector, in one file each, so that a crash loses no turn. The queue is never larger than its limit. */
export class SpanQueue {
  readonly #spec: SpanQueueSpec;
  readonly #jobs = new SerialQueue();
  #waiting: readonly Waiting[];

  private constructor(spec: SpanQueueSpec, waiting: readonly Waiting[]) {
    this.#spec = spec;
    this.#waiting = waiting;
  }

  /** Opens the queue. Never rejects, because the core must start with any content of the folder. */
  static async open(spec: SpanQueueSpec): Promise<SpanQueue> {
    sweepTemporaries(spec.folder);
    const names = (await entriesOf(spec.folder)).filter((name) => NAME.test(name)).sort();
    const sizes = await Promise.all(names.map((name) => sizeOf(join(spec.folder, name))));
    const waiting = names.flatMap((name, at) => {
      const size = sizes[at];
      return size == null ? [] : [{ name, bytes: countedBytes(size) }];
    });
    const queue = new SpanQueue(spec, waiting);
    await queue.#makeRoom(0).catch(() => undefined); // the next turn tries again
    return queue;
  }

  get turns(): number {
    return this.#waiting.length;
  }

  get bytes(): number {
    return this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Whether these spans fit without one being dropped. */
  hasRoom(spans: readonly SpanRecord[], terminalId: string): boolean {
    return this.bytes + countedBytes(Buffer.byteLength(textOf(spans, terminalId))) <= this.#spec.limitBytes();
  }

  /** Adds the spans of one turn, or replaces an earlier version of them; makes room by dropping the oldest. Rejects when the disk refuses. */
  add(spans: readonly SpanRecord[], terminalId: string): Promise<void> {
    return this.#jobs.run(async () => {
      const [own] = spans;
      if (!own) return;
      const text = textOf(spans, terminalId);
      const one = { name: nameOf(own), bytes: countedBytes(Buffer.byteLength(text)) };
      if (one.bytes > this.#spec.limitBytes()) return this.#spec.onDropped(1, 'full');
      const earlier = this.#waiting.find(({ name }) => name === one.name);
      await this.#makeRoom(earlier ? Math.max(0, one.bytes - earlier.bytes) : one.bytes, one.name);
      await mkdir(this.#spec.folder, { recursive: true, mode: 0o700 });
      await replaceFile(join(this.#spec.folder, one.name), text);
      const others = this.#waiting.filter(({ name }) => name !== one.name);
      this.#waiting = [...others, one].sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  /** Reads the oldest turns: at most `most` turns and `mostBytes` bytes, but at least one turn. Null if the queue is empty. */
  oldest(most: number, mostBytes: number): Promise<{ files: Waiting[]; spans: SpanRecord[] } | null> {
    return this.#jobs.run(async () => {
      for (;;) {
        let bytes = 0;
        const wanted = this.#waiting.slice(0, most).filter((one, at) => {
          bytes += one.bytes;
          return at === 0 || bytes <= mostBytes;
        });
        if (wanted.length === 0) return null;
        const read = await Promise.all(wanted.map(async (file) => ({ file, turn: await this.#read(file) })));
        const bad = read.filter(({ turn }) => turn === null).map(({ file }) => file);
        if (bad.length > 0) {
          this.#spec.onDropped(bad.length, 'unreadable');
          await this.#remove(bad);
        }
        const isHidden = ({ terminalId }: QueuedTurn): boolean => terminalId !== '' && this.#spec.isPrivate(terminalId);
        await this.#remove(read.filter(({ turn }) => turn && isHidden(turn)).map(({ file }) => file));
        const good = read.flatMap(({ file, turn }) => (turn && !isHidden(turn) ? [{ file, spans: turn.spans }] : []));
        if (good.length > 0) return { files: good.map(({ file }) => file), spans: good.flatMap(({ spans }) => spans) };
      }
    });
  }

  /** Removes turns that were sent or refused. A version that was added later stays. */
  remove(files: readonly Waiting[]): Promise<void> {
    return this.#jobs.run(() => this.#remove(files));
  }

  clear(): Promise<void> {
    return this.#jobs.run(() => this.#remove(this.#waiting));
  }

  /** Drops turns to meet a smaller limit. */
  trim(): Promise<void> {
    return this.#jobs.run(() => this.#makeRoom(0));
  }

  async #makeRoom(bytes: number, kept = ''): Promise<void> {
    const limit = this.#spec.limitBytes();
    let over = this.bytes + bytes - limit;
    const dropped: Waiting[] = [];
    for (const one of this.#waiting) {
      if (over <= 0) break;
      if (one.name === kept) continue;
      dropped.push(one);
      over -= one.bytes;
    }
    if (dropped.length === 0) return;
    this.#spec.onDropped(dropped.length, 'full');
    await this.#remove(dropped);
  }

  async #remove(files: readonly Waiting[]): Promise<void> {
    // A later version of a turn is another object, which has not been sent.
    const gone = new Set(files.filter((file) => this.#waiting.includes(file)));
    await Promise.all([...gone].map(({ name }) => rm(join(this.#spec.folder, name), { force: true })));
    this.#waiting = this.#waiting.filter((one) => !gone.has(one));
  }

  async #read({ name }: Waiting): Promise<QueuedTurn | null> {
    try {
      return QueuedTurn.parse(JSON.parse(await readFile(join(this.#spec.folder, name), 'utf8')));
    } catch {
      return null;
    }
  }
}

/** Treats a folder that cannot be read as empty. The first turn that is added then reports the error of the disk. */
function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}

function textOf(spans: readonly SpanRecord[], terminalId: string): string {
  const turn: QueuedTurn = { version: 1, spans: [...spans], terminalId };
  return `${JSON.stringify(turn)}\n`;
}

function nameOf({ startMs, traceId }: SpanRecord): string {
  return `${String(Math.trunc(startMs)).padStart(15, '0')}-${traceId}.json`;
}

function countedBytes(size: number): number {
  return Math.max(LEAST_FILE_BYTES, size);
}
