import type { Frame, TerminalColors } from '../contract/frame.ts';
import type { Clock } from '../util/Clock.ts';
import { Disposables, type IDisposable } from '../util/Disposables.ts';
import { Emitter } from '../util/Emitter.ts';
import type { ScreenDegraded, ScreenHandle, ScreenSpec } from './ScreenHandle.ts';
import type { MarkKind, ScreenSize } from './ScreenModel.ts';
import type { Answer, BeginRow, FromWorker, OffsetMark, Question, StateAnswer, ToWorker } from './screenProtocol.ts';

export type { ScreenDegraded, ScreenHandle, ScreenSpec };

/** A backlog that is parsed in a few milliseconds: time to let the program go on. */
export const DRAINED_BYTES = 256 * 1024;
/** More than this waiting when the worker has done all it had may be the start of a flood; a key's echo is less. */
const ECHO_BYTES = 2 * 1024;
/** So long it is looked whether it is one … */
const GATHER_MS = 4;
/** … if so much came in that time. */
const FLOOD_BYTES = 64 * 1024;
/**
 * A flood is sent in pieces of this size: a message costs as much as parsing some KiB, and the worker leaves out most of a
 * long piece (see `skim`).
 */
const BATCH_BYTES = 1024 * 1024;
/** … but waits no longer than this, so that a query inside of it is answered in time. */
const BATCH_MS = 30;

interface Batch {
  offset: number;
  bytes: Uint8Array;
}

export interface FeedDeps {
  clock: Clock;
  post(message: ToWorker): void;
  /** Sends a question and gives its answer. */
  ask(slot: number, what: Question): Promise<Answer>;
  closed(): void;
}

/** Carries one terminal's bytes to the worker and keeps what a new worker would need. */
export class ScreenFeed implements ScreenHandle {
  readonly #owned = new Disposables();
  readonly #slot: number;
  readonly #spec: ScreenSpec;
  readonly #deps: FeedDeps;
  readonly #reply = this.#owned.add(new Emitter<string>());
  readonly #drain = this.#owned.add(new Emitter<void>());
  readonly #degraded = this.#owned.add(new Emitter<ScreenDegraded>());
  #size: ScreenSize;
  #colors: TerminalColors | undefined;
  /** Written, not sent. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #marks: OffsetMark[] = [];
  /** Sent, not known to be parsed. */
  #sent: Batch[] = [];
  #sentEnd: number;
  #parsedEnd: number;
  #checkpoint: StateAnswer | undefined;
  #isFlushing = false;
  /** While a flood gathers. */
  #gathering: IDisposable | undefined;
  #isClosed = false;

  readonly onReply = this.#reply.on;
  readonly onDrain = this.#drain.on;
  readonly onDegraded = this.#degraded.on;

  constructor(slot: number, spec: ScreenSpec, deps: FeedDeps) {
    this.#slot = slot;
    this.#spec = spec;
    this.#deps = deps;
    this.#size = { cols: spec.cols, rows: spec.rows };
    this.#sentEnd = spec.startOffset;
    this.#parsedEnd = spec.startOffset;
    this.#open(spec.startOffset, '', this.#size);
  }

  get backlogBytes(): number {
    return this.#sentEnd + this.#waitingBytes - this.#parsedEnd;
  }

  write(bytes: Uint8Array, offset: number): void {
    if (this.#isClosed || bytes.length === 0) return;
    if (offset !== this.#sentEnd + this.#waitingBytes) this.#skipTo(offset);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#flushSoon();
  }

  mark(kind: MarkKind, offset: number): void {
    if (this.#isClosed) return;
    this.#marks.push({ kind, offset });
    this.#flushSoon();
  }

  resize(size: ScreenSize): void {
    this.#flush();
    this.#size = { cols: size.cols, rows: size.rows };
    this.#post({ type: 'resize', slot: this.#slot, size: this.#size });
  }

  setColors(colors: TerminalColors): void {
    this.#colors = colors;
    this.#post({ type: 'colors', slot: this.#slot, colors });
  }

  async serialize(): Promise<StateAnswer> {
    return (await this.#ask('serialize')) as StateAnswer;
  }

  async frame(): Promise<Frame> {
    return (await this.#ask('frame')) as Frame;
  }

  async commandText(): Promise<string | null> {
    return (await this.#ask('commandText')) as string | null;
  }

  async beginRows(): Promise<BeginRow[]> {
    return (await this.#ask('beginRows')) as BeginRow[];
  }

  async bracketedPaste(): Promise<boolean> {
    return (await this.#ask('bracketedPaste')) as boolean;
  }

  dispose(): void {
    if (this.#isClosed) return;
    this.#post({ type: 'close', slot: this.#slot });
    this.#gathering?.dispose();
    this.#isClosed = true;
    this.#owned.dispose();
    this.#deps.closed();
  }

  /** A message of the worker about this terminal. */
  hear(message: Extract<FromWorker, { slot: number }>): void {
    switch (message.type) {
      case 'parsed':
        this.#parsedTo(message.offset);
        return;
      case 'reply':
        this.#reply.fire(message.data);
        return;
      case 'checkpoint':
        this.#checkpoint = message.state;
        return;
      case 'broken':
        this.#checkpoint = undefined;
        this.#degraded.fire({ offset: message.offset, reason: message.reason });
    }
  }

  /** No worker will parse anything any more: nothing is waited for, so that the program is not held up. */
  giveUp(reason: string): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#sentEnd += this.#waitingBytes;
    this.#waitingBytes = 0;
    this.#degraded.fire({ offset: this.#sentEnd, reason });
    this.#parsedTo(this.#sentEnd);
  }

  /**
   * Brings a new worker up to date: the last checkpoint, then the bytes since, but not those from `skip.from` to `skip.to` over
   * which the old one hung. Where bytes are missing the screen is degraded and says so.
   */
  rebuild(skip: { from: number; to: number } | undefined, reason: string): void {
    const base = this.#checkpoint ?? { data: '', offset: this.#spec.startOffset, ...this.#size };
    this.#open(base.offset, base.data, base);
    if (base.cols !== this.#size.cols || base.rows !== this.#size.rows) {
      this.#post({ type: 'resize', slot: this.#slot, size: this.#size });
    }
    if (this.#colors) this.#post({ type: 'colors', slot: this.#slot, colors: this.#colors });
    const held = this.#heldSince(base.offset);
    const answeredTo = skip ? Math.max(this.#parsedEnd, skip.to) : this.#parsedEnd;
    for (const part of cutOut(held, skip)) this.#replay(part, answeredTo);
    const start = held[0]?.offset ?? this.#sentEnd;
    if (skip || start > base.offset) this.#degraded.fire({ offset: skip?.to ?? start, reason });
    this.#post({
      type: 'feed',
      slot: this.#slot,
      offset: this.#sentEnd,
      bytes: new Uint8Array(0),
      marks: [],
      isReplay: false,
    });
  }

  #open(offset: number, state: string, size: ScreenSize): void {
    const { scrollbackLines } = this.#spec;
    this.#post({
      type: 'open',
      slot: this.#slot,
      spec: { cols: size.cols, rows: size.rows, scrollbackLines, offset, state },
    });
  }

  /** Everything sent since `offset` that is still at hand, in order. */
  #heldSince(offset: number): Batch[] {
    const replay = this.#spec.replayFrom?.(offset);
    if (replay) return [{ offset, bytes: replay.subarray(0, this.#sentEnd - offset) }];
    return this.#sent.filter((batch) => batch.offset >= offset);
  }

  /** What the old worker had parsed it has also answered. */
  #replay({ offset, bytes }: Batch, answeredTo: number): void {
    const cut = Math.max(0, Math.min(bytes.length, answeredTo - offset));
    const feed = (from: number, part: Uint8Array, isReplay: boolean) => {
      if (part.length > 0)
        this.#post({ type: 'feed', slot: this.#slot, offset: from, bytes: part, marks: [], isReplay });
    };
    feed(offset, bytes.subarray(0, cut), true);
    feed(offset + cut, bytes.subarray(cut), false);
  }

  #post(message: ToWorker): void {
    if (!this.#isClosed) this.#deps.post(message);
  }

  #ask(what: Question): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new Error(`The screen in slot ${this.#slot} is closed`));
    this.#flush();
    return this.#deps.ask(this.#slot, what);
  }

  /** A hole in the stream (the caller's record has one): what is waiting goes out under its own offset. */
  #skipTo(offset: number): void {
    this.#flush();
    this.#parsedEnd += offset - this.#sentEnd;
    this.#sentEnd = offset;
  }

  #flushSoon(): void {
    const isGathering = this.#gathering !== undefined || this.#sent.length > 0;
    if (this.#waitingBytes < BATCH_BYTES && isGathering && this.#marks.length === 0) return;
    if (this.#isFlushing) return;
    this.#isFlushing = true; // marks of these bytes may follow in this turn, so not at once
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    this.#gathering?.dispose();
    this.#gathering = undefined;
    if (this.#waitingBytes === 0 && this.#marks.length === 0) return;
    const bytes = concat(this.#waiting, this.#waitingBytes);
    const marks = this.#marks.splice(0).sort((a, b) => a.offset - b.offset);
    const offset = this.#sentEnd;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#sentEnd += bytes.length;
    if (bytes.length > 0) this.#sent.push({ offset, bytes });
    this.#post({ type: 'feed', slot: this.#slot, offset, bytes, marks, isReplay: false });
  }

  #parsedTo(offset: number): void {
    const before = this.backlogBytes;
    this.#parsedEnd = Math.max(this.#parsedEnd, offset);
    while (this.#sent[0] && this.#sent[0].offset + this.#sent[0].bytes.length <= this.#parsedEnd) this.#sent.shift();
    if (this.#sent.length === 0) this.#sendNext();
    if (before > DRAINED_BYTES && this.backlogBytes <= DRAINED_BYTES) this.#drain.fire();
  }

  /** The worker has done all it had: what is waiting goes out, or gathers first. */
  #sendNext(): void {
    if (this.#waitingBytes < ECHO_BYTES || this.#marks.length > 0 || this.#isClosed) return this.#flush();
    this.#gathering ??= this.#deps.clock.after(GATHER_MS, () => {
      if (this.#waitingBytes < FLOOD_BYTES) this.#flush();
      else this.#gathering = this.#deps.clock.after(BATCH_MS - GATHER_MS, () => this.#flush());
    });
  }
}

/** In shared memory: the worker reads the same bytes, where a message's copy would be garbage on both sides. */
function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const joined = new Uint8Array(new SharedArrayBuffer(length));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

/** The batches without the bytes from `hole.from` to `hole.to`. */
function cutOut(batches: readonly Batch[], hole: { from: number; to: number } | undefined): Batch[] {
  if (!hole) return [...batches];
  return batches.flatMap(({ offset, bytes }) => {
    const from = Math.max(0, Math.min(bytes.length, hole.from - offset));
    const to = Math.max(0, Math.min(bytes.length, hole.to - offset));
    return [
      { offset, bytes: bytes.subarray(0, from) },
      { offset: offset + to, bytes: bytes.subarray(to) },
    ].filter((part) => part.bytes.length > 0);
  });
}
