import type { StreamItem } from '../../contract/terminal.ts';
import { RingBuffer } from '../../util/RingBuffer.ts';
import { type Beginning, type Mark, Viewer, type ViewSource } from './Viewer.ts';

/** Must exceed the screen's backlog (PtyInstance pauses above 2 MiB); otherwise a viewer could never join during a flood. */
const RING_BYTES = 4 * 1024 * 1024;
const MAX_MARKS = 4096;

type Exit = Extract<StreamItem, { type: 'exit' }>;
type State = Extract<StreamItem, { type: 'state' }>;

/** The recent bytes of one terminal with its marks, and all viewers. */
export class LiveStream implements ViewSource {
  readonly #ring: RingBuffer;
  readonly #viewers = new Map<string, Viewer>();
  readonly #readState: () => Promise<State>;
  #marks: Mark[] = [];
  /** Number of marks dropped from the front of #marks. */
  #firstMark = 0;
  #exit: Exit | null = null;
  #size: { cols: number; rows: number };
  #isFrozen = false;
  #thaws = 0;
  /** Least offset at which a viewer can continue: it was not shown earlier bytes, or saw the end of an earlier shell's screen and nothing since. */
  #resumableFrom: number;
  #isClosed = false;

  constructor(startOffset: number, size: { cols: number; rows: number }, readState: () => Promise<State>) {
    this.#size = size;
    this.#ring = new RingBuffer(RING_BYTES, startOffset);
    this.#resumableFrom = startOffset + 1;
    this.#readState = readState;
  }

  get end(): number {
    return this.#ring.end;
  }

  get size(): { cols: number; rows: number } {
    return this.#size;
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  get thaws(): number {
    return this.#thaws;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends the viewers once they have all items. A window that kept viewing would keep the terminal in memory. */
  close(): void {
    this.#isClosed = true;
    this.poke();
  }

  /** Stops showing anything to viewers, which must not see the next changes. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Lets viewers continue with the state at that time. */
  thaw(): void {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    this.#thaws += 1;
    this.#resumableFrom = this.end;
    this.poke();
  }

  get exit(): Exit | null {
    return this.#exit;
  }

  get viewerCount(): number {
    return this.#viewers.size;
  }

  append(bytes: Uint8Array): void {
    this.#ring.append(bytes);
  }

  mark(offset: number, kind: 'begin' | 'end' | 'prompt', blockId: string | null): void {
    this.#push({ type: 'mark', offset, kind, blockId, at: offset });
  }

  resized({ cols, rows }: { cols: number; rows: number }): void {
    if (cols === this.#size.cols && rows === this.#size.rows) return;
    this.#size = { cols, rows };
    this.#push({ type: 'resize', cols, rows, at: this.end });
    this.poke();
  }

  exited(exit: Exit | null): void {
    this.#exit = exit;
    this.poke();
  }

  poke(): void {
    for (const viewer of this.#viewers.values()) viewer.poke();
  }

  ack(viewerId: string, offset: number): void {
    this.#viewers.get(viewerId)?.ack(offset);
  }

  async *view(viewerId: string, signal?: AbortSignal, first?: Beginning): AsyncGenerator<StreamItem> {
    const viewer = new Viewer(this, first);
    this.#viewers.set(viewerId, viewer);
    try {
      yield* viewer.items(signal);
    } finally {
      if (this.#viewers.get(viewerId) === viewer) this.#viewers.delete(viewerId);
    }
  }

  canResume(offset: number): boolean {
    const areMarksHeld = this.#firstMark === 0 || (this.#marks[0]?.at ?? 0) < offset;
    return offset >= Math.max(this.#ring.start, this.#resumableFrom) && offset <= this.end && areMarksHeld;
  }

  read(offset: number, maxBytes: number): Uint8Array | undefined {
    return this.#ring.read(offset, maxBytes);
  }

  /** All bytes from `offset` on; undefined if they are no longer kept. */
  from(offset: number): Uint8Array | undefined {
    return this.#ring.read(offset, RING_BYTES);
  }

  /** All bytes that are still kept. */
  recent(): Uint8Array {
    return this.#ring.read(this.#ring.start, RING_BYTES) ?? new Uint8Array(0);
  }

  marksFrom(index: number): { marks: readonly Mark[]; next: number } {
    const from = Math.max(0, index - this.#firstMark);
    return { marks: this.#marks.slice(from), next: this.#firstMark + this.#marks.length };
  }

  state(): Promise<State> {
    return this.#readState();
  }

  #push(mark: Mark): void {
    this.#marks.push(mark);
    if (this.#marks.length <= MAX_MARKS) return;
    this.#marks = this.#marks.slice(MAX_MARKS / 2);
    this.#firstMark += MAX_MARKS / 2;
  }
}
