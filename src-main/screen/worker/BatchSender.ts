import type { IDisposable } from '../../util/Disposables.ts';
import { FeedBacklog } from './FeedBacklog.ts';
import type { FeedDeps } from './feedDeps.ts';
import { BATCH_BYTES, BATCH_MS, ECHO_BYTES, FLOOD_BYTES, GATHER_MS, MAX_BATCHES_JOINED } from './feedLimits.ts';
import { MarkHistory } from './MarkHistory.ts';
import type { FedBytes, OffsetMark } from './screenProtocol.ts';

/** Sends one terminal's bytes and marks to its worker: an echo at once, a flood in batches that gather while the worker is busy. */
export class BatchSender implements IDisposable {
  readonly #deps: Pick<FeedDeps, 'clock' | 'countBusy'>;
  readonly #feed: (fed: FedBytes) => void;
  #marks: OffsetMark[] = [];
  #commandEnd = 0;
  #isFlushing = false;
  /** Set while a flood gathers. */
  #gathering: IDisposable | undefined;
  #isClosed = false;
  readonly backlog: FeedBacklog;
  /** The marks sent so far. */
  readonly passed = new MarkHistory();

  constructor(startOffset: number, deps: Pick<FeedDeps, 'clock' | 'countBusy'>, feed: (fed: FedBytes) => void) {
    this.#deps = deps;
    this.#feed = feed;
    this.backlog = new FeedBacklog(startOffset);
  }

  /** Offset of the last command's end, sent or not; 0 before the first one. */
  get commandEnd(): number {
    return this.#commandEnd;
  }

  /** Takes bytes at `offset`. Before a hole in the stream, which the record has too, the waiting bytes are sent with their own offset. */
  write(bytes: Uint8Array, offset: number): void {
    if (offset !== this.backlog.end) {
      this.flush();
      this.backlog.skipTo(offset);
    }
    this.backlog.add(bytes);
    this.#flushSoon();
  }

  mark(mark: OffsetMark): void {
    this.#marks.push(mark);
    if (mark.kind === 'end') this.#commandEnd = Math.max(this.#commandEnd, mark.offset);
    this.#flushSoon();
  }

  flush(): void {
    this.#gathering?.dispose();
    this.#gathering = undefined;
    if (this.backlog.waiting === 0 && this.#marks.length === 0) return;
    const marks = this.#marks.splice(0).sort((a, b) => a.offset - b.offset);
    this.passed.add(marks);
    const { offset, bytes } = this.backlog.send();
    this.#feed({ offset, bytes, marks, isReplay: false });
  }

  /** Call this when the worker has parsed all bytes before `offset`. */
  parsedTo(offset: number): void {
    this.backlog.parsedTo(offset);
    if (!this.backlog.isParsing) this.#sendNext();
  }

  dispose(): void {
    this.#isClosed = true;
    this.#gathering?.dispose();
  }

  #flushSoon(): void {
    const isGathering = this.#gathering !== undefined || this.backlog.isParsing;
    if (this.backlog.waiting < BATCH_BYTES && isGathering && this.#marks.length === 0) return;
    if (this.#isFlushing) return;
    this.#isFlushing = true; // marks of these bytes may follow in this turn, so the sender waits
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.flush();
    });
  }

  /** The worker is idle: sends the waiting bytes, or lets more gather first. */
  #sendNext(): void {
    if (this.backlog.waiting < ECHO_BYTES || this.#marks.length > 0 || this.#isClosed) return this.flush();
    this.#gathering ??= this.#deps.clock.after(GATHER_MS, () => {
      const sharers = Math.max(1, this.#deps.countBusy());
      if (this.backlog.waiting < FLOOD_BYTES / sharers) return this.flush();
      const batchMs = BATCH_MS * Math.min(sharers, MAX_BATCHES_JOINED);
      this.#gathering = this.#deps.clock.after(batchMs - GATHER_MS, () => this.flush());
    });
  }
}
