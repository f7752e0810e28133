import type { StreamItem } from '../../contract/terminal.ts';

/** Sent and not acknowledged: beyond this the viewer gets nothing until it catches up, then the state instead of the backlog. */
export const MAX_UNACKED_BYTES = 1024 * 1024;
/** One item on the wire. */
const MAX_ITEM_BYTES = 64 * 1024;
/** Items follow each other at least this far apart, so that a flood comes in large pieces and a key's echo at once. */
const MIN_INTERVAL_MS = 8;

/** What a viewer begins with: all that was before its offset. */
type Start = Extract<StreamItem, { type: 'state' | 'replay' }>;

export type Mark = Extract<StreamItem, { type: 'mark' | 'resize' }> & { at: number };

/** What a viewer reads: one terminal's recent bytes, its boundaries, and its state for those who have lost touch. */
export interface ViewSource {
  readonly end: number;
  readonly exit: Extract<StreamItem, { type: 'exit' }> | null;
  /** Nothing may be shown now. */
  readonly isFrozen: boolean;
  /** Nothing will come any more, and the state cannot be read. */
  readonly isClosed: boolean;
  /** How often that was over: what came meanwhile is passed over. */
  readonly thaws: number;
  /** The screen's size now. */
  readonly size: { cols: number; rows: number };
  /** Bytes from `offset`, at most `maxBytes`; undefined when they are no longer held. */
  read(offset: number, maxBytes: number): Uint8Array | undefined;
  /** The marks from number `index` (of all ever made) on that are still held; `next` is the number that the next one will get. */
  marksFrom(index: number): { marks: readonly Mark[]; next: number };
  state(): Promise<Extract<StreamItem, { type: 'state' }>>;
}

/**
 * One reader of one terminal: first the state, then live bytes from exactly that offset, with the marks between them.
 * Never holds bytes of its own. A stalled or slow reader is re-synchronised from the state.
 */
export class Viewer {
  readonly #source: ViewSource;
  readonly #first: (() => Start) | undefined;
  #sent = 0;
  #acked = 0;
  #nextMark = 0;
  #thaws = 0;
  #hasSentExit = false;
  /** The size that this viewer was told last. */
  #size = { cols: 0, rows: 0 };
  #wake: (() => void) | null = null;

  /** `first` makes what is begun with in place of the state. */
  constructor(source: ViewSource, first?: () => Start) {
    this.#source = source;
    this.#first = first;
  }

  /** There is something new: bytes, a mark, an exit. */
  poke(): void {
    this.#wake?.();
    this.#wake = null;
  }

  ack(offset: number): void {
    this.#acked = Math.min(Math.max(this.#acked, offset), this.#sent);
    this.poke();
  }

  async *items(signal?: AbortSignal): AsyncGenerator<StreamItem> {
    const wake = () => this.poke();
    signal?.addEventListener('abort', wake);
    try {
      while (this.#source.isFrozen && !this.#source.isClosed && !signal?.aborted) await this.#idle(signal);
      this.#thaws = this.#source.thaws;
      const start = this.#first ? this.#startFrom(this.#first()) : await this.#resync();
      if (start) yield start;
      while (!signal?.aborted) {
        const item = (await this.#next()) ?? (this.#source.isClosed ? this.#exitItem() : null);
        if (item) yield item;
        else if (this.#source.isClosed) return;
        else await this.#idle(signal);
        if (item?.type === 'bytes') await pause(MIN_INTERVAL_MS, this.#source.end - this.#sent);
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
    if (this.#sent - this.#acked > MAX_UNACKED_BYTES) return null;
    if (end - this.#acked > 2 * MAX_UNACKED_BYTES) return this.#resync();
    const { marks, next } = this.#source.marksFrom(this.#nextMark);
    const mark = marks[0];
    if (mark && mark.at <= this.#sent) {
      this.#nextMark = next - marks.length + 1;
      const { at: _at, ...item } = mark;
      if (item.type === 'resize') this.#size = { cols: item.cols, rows: item.rows };
      return item;
    }
    if (end === this.#sent) return this.#sizeItem() ?? this.#exitItem();
    return this.#bytes(Math.min(MAX_ITEM_BYTES, (mark?.at ?? end) - this.#sent));
  }

  /** A resize that came while the state was being read has its mark before the state's offset, and was passed over. */
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
    const bytes = this.#source.read(this.#sent, count);
    if (!bytes) return this.#resync();
    const item: StreamItem = {
      type: 'bytes',
      offset: this.#sent,
      data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
    };
    this.#sent += bytes.length;
    return item;
  }

  async #resync(): Promise<StreamItem | null> {
    if (this.#source.isClosed) return null;
    return this.#startFrom(await this.#source.state());
  }

  #startFrom(start: Start): StreamItem {
    this.#sent = start.offset;
    this.#size = { cols: start.cols, rows: start.rows };
    this.#acked = start.offset;
    const { marks, next } = this.#source.marksFrom(0);
    const passed = marks.filter((mark) => mark.at <= start.offset).length;
    this.#nextMark = next - marks.length + passed;
    return start;
  }

  async #idle(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Lets a flood gather; with nothing waiting there is nothing to gather and the next key's echo must not wait. */
async function pause(ms: number, waitingBytes: number): Promise<void> {
  if (waitingBytes === 0) return;
  await new Promise((resolve) => setTimeout(resolve, ms));
}
