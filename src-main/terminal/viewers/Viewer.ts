import type { StreamItem } from '../../contract/terminal.ts';
import { SendWindow } from './SendWindow.ts';

/** Least time between items, so that a flood comes in large pieces and a key's echo at once. */
const MIN_INTERVAL_MS = 8;

/** First item of a viewer: all that precedes its offset. */
type Start = Extract<StreamItem, { type: 'state' | 'replay' }>;

/** Alternative start of a viewer: the returned item, or, if possible, the offset up to which the viewer has already shown everything. */
export type Beginning = (() => Start) | number;

export type Mark = Extract<StreamItem, { type: 'mark' | 'resize' }> & { at: number };

/** Source of a viewer: one terminal's recent bytes, its marks, and its state for viewers that fell behind. */
export interface ViewSource {
  readonly end: number;
  readonly exit: Extract<StreamItem, { type: 'exit' }> | null;
  /** True while nothing may be shown. */
  readonly isFrozen: boolean;
  /** True if nothing will follow, and the state cannot be read. */
  readonly isClosed: boolean;
  /** Counts the ends of freezes: viewers skip the bytes from during a freeze. */
  readonly thaws: number;
  /** Whether a viewer that has shown everything before `offset` can continue there: all later bytes are kept and may be shown. */
  canResume(offset: number): boolean;
  /** The current size of the screen. */
  readonly size: { cols: number; rows: number };
  /** Up to `maxBytes` bytes from `offset`; undefined if they are no longer kept. */
  read(offset: number, maxBytes: number): Uint8Array | undefined;
  /** The kept marks from number `index` (of all marks ever) on; `next` is the number of the next new one. */
  marksFrom(index: number): { marks: readonly Mark[]; next: number };
  state(): Promise<Extract<StreamItem, { type: 'state' }>>;
}

/**
 * One reader of one terminal: first the state, then live bytes from exactly that offset, with the marks between them.
 * Holds no bytes itself. A stalled or slow reader is resynchronized from the state.
 */
export class Viewer {
  readonly #source: ViewSource;
  readonly #first: Beginning | undefined;
  readonly #window = new SendWindow();
  #nextMark = 0;
  #thaws = 0;
  #hasSentExit = false;
  /** The size last sent to this viewer. */
  #size = { cols: 0, rows: 0 };
  #wake: (() => void) | null = null;

  constructor(source: ViewSource, first?: Beginning) {
    this.#source = source;
    this.#first = first;
  }

  /** Wakes the viewer for new bytes, a mark, or an exit. */
  poke(): void {
    this.#wake?.();
    this.#wake = null;
  }

  ack(offset: number): void {
    this.#window.ack(offset, performance.now());
    this.poke();
  }

  async *items(signal?: AbortSignal): AsyncGenerator<StreamItem> {
    const wake = () => this.poke();
    signal?.addEventListener('abort', wake);
    try {
      while (this.#source.isFrozen && !this.#source.isClosed && !signal?.aborted) await this.#idle(signal);
      this.#thaws = this.#source.thaws;
      const start = await this.#begin();
      if (start) yield start;
      while (!signal?.aborted) {
        const item = (await this.#next()) ?? (this.#source.isClosed ? this.#exitItem() : null);
        if (item) yield item;
        else if (this.#source.isClosed) return;
        else await this.#idle(signal);
        if (item?.type === 'bytes') await pause(MIN_INTERVAL_MS, this.#source.end - this.#window.sent);
      }
    } finally {
      signal?.removeEventListener('abort', wake);
    }
  }

  async #next(): Promise<StreamItem | null> {
    const { end, thaws } = this.#source;
    if (this.#source.isFrozen) return null;
    if (thaws !== this.#thaws) {
      this.#thaws = thaws;
      return this.#resync();
    }
    const { sent, isFull } = this.#window;
    if (isFull) return null;
    const behind = this.#window.behind(end);
    if (behind !== null) return behind === 'state' ? this.#resync() : null;
    const { marks, next } = this.#source.marksFrom(this.#nextMark);
    const mark = marks[0];
    if (mark && mark.at <= sent) {
      this.#nextMark = next - marks.length + 1;
      const { at: _at, ...item } = mark;
      if (item.type === 'resize') this.#size = { cols: item.cols, rows: item.rows };
      return item;
    }
    if (end === sent) return this.#sizeItem() ?? this.#exitItem();
    return this.#bytes(Math.min(this.#window.itemBytes, (mark?.at ?? end) - sent));
  }

  /** Sends a resize that came while the state was being read: its mark is before the state's offset, and was skipped. */
  #sizeItem(): StreamItem | null {
    const { cols, rows } = this.#source.size;
    if (cols === this.#size.cols && rows === this.#size.rows) return null;
    this.#size = { cols, rows };
    return { type: 'resize', cols, rows };
  }

  #exitItem(): StreamItem | null {
    const { exit } = this.#source;
    if (!exit) this.#hasSentExit = false;
    if (!exit || this.#hasSentExit) return null;
    this.#hasSentExit = true;
    return exit;
  }

  #bytes(count: number): StreamItem | Promise<StreamItem | null> {
    const offset = this.#window.sent;
    const bytes = this.#source.read(offset, count);
    if (!bytes) return this.#resync();
    const item: StreamItem = {
      type: 'bytes',
      offset,
      data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
    };
    this.#window.send(bytes.length, performance.now());
    return item;
  }

  async #begin(): Promise<StreamItem | null> {
    const first = this.#first;
    if (typeof first === 'function') return this.#startFrom(first());
    if (first === undefined || !this.#source.canResume(first)) return this.#resync();
    this.#beginAt(first, false);
    const { marks } = this.#source.marksFrom(this.#nextMark);
    return marks.some(({ type }) => type === 'resize') ? null : this.#sizeItem(); // later sizes come at their positions
  }

  async #resync(): Promise<StreamItem | null> {
    if (this.#source.isClosed) return null;
    return this.#startFrom(await this.#source.state());
  }

  #startFrom(start: Start): StreamItem {
    this.#size = { cols: start.cols, rows: start.rows };
    this.#beginAt(start.offset, true);
    return start;
  }

  /** `hasMarks`: marks at `offset` itself are already known. */
  #beginAt(offset: number, hasMarks: boolean): void {
    this.#window.begin(offset, hasMarks);
    const { marks, next } = this.#source.marksFrom(0);
    const passed = marks.filter(({ at }) => at < offset || (hasMarks && at === offset)).length;
    this.#nextMark = next - marks.length + passed;
  }

  async #idle(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Lets a flood gather. Without waiting bytes it returns at once, so that the next key's echo does not wait. */
async function pause(ms: number, waitingBytes: number): Promise<void> {
  if (waitingBytes === 0) return;
  await new Promise((resolve) => setTimeout(resolve, ms));
}
