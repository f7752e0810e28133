import { LineWalk, linesBefore, type Place } from './LineWalk.ts';
import type { LineHint, ScanEncoding } from './lines/LineHint.ts';
import type { LinePattern, Span } from './lines/searchText.ts';

const LF = 0x0a;
/** Most candidate lines that are matched at a time. */
const BATCH_LINES = 2000;
/** A longer line is not held and counts as not searched. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

export interface ScannedLine {
  readonly n: number;
  readonly text: string;
  /** Bytes of the record, including the line feed. */
  readonly bytes: number;
  /** Matches in the line; null for a context line. */
  readonly spans: readonly Span[] | null;
}

export interface ScanSpec {
  readonly pattern: LinePattern;
  readonly hint: LineHint | null;
  readonly encoding?: ScanEncoding;
  /** Lines before and after each match. */
  readonly context?: number;
  /** Number of the first line of the input. */
  readonly n?: number;
  /** Searches lines [from, to). */
  readonly from?: number;
  readonly to?: number;
  readonly maxLineBytes?: number;
  /** Changes whole lines before the search; their number must stay. */
  readonly shown?: (lines: Buffer) => Buffer;
}

/**
 * Finds matching lines in a text that arrives in pieces, cut anywhere. Searches the bytes for text that every match contains, and matches only lines
 * with it. Yields matches and their context lines in order, each once, and null after each moment of work, so that its caller can stop. A line
 * without an end counts once `end` is called.
 */
export class ByteScanner {
  readonly #spec: ScanSpec;
  readonly #encoding: ScanEncoding;
  readonly #context: number;
  readonly #from: number;
  readonly #to: number;
  /** The pieces of an unfinished line. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  #isRestTooLong = false;
  /** Number of the next line. */
  #n: number;
  /** Lines of earlier pieces that may become context of the next match. */
  #before: ScannedLine[] = [];
  /** Number of context lines still to come after a match. */
  #after = 0;
  /** Every line below this one was searched. */
  #reached: number;
  /** Line after the last one that was yielded, and its offset in these bytes. */
  #shown = 0;
  #shownAt = 0;
  /** A line that alone exceeds the time of the expression; the search ends there. */
  slowLine: number | null = null;
  /** Lines that are too long to search. */
  readonly tooLong: number[] = [];

  constructor(spec: ScanSpec) {
    this.#spec = spec;
    this.#encoding = spec.encoding ?? 'utf8';
    this.#context = spec.context ?? 0;
    this.#n = spec.n ?? 0;
    this.#from = spec.from ?? 0;
    this.#to = spec.to ?? Number.POSITIVE_INFINITY;
    this.#reached = Math.max(this.#n, this.#from);
  }

  /** Every line below this one was searched. */
  get reached(): number {
    return this.slowLine ?? this.#reached;
  }

  get isOver(): boolean {
    return this.slowLine !== null || this.#n >= this.#to;
  }

  *feed(piece: Uint8Array): Generator<ScannedLine | null> {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    const end = bytes.lastIndexOf(LF) + 1;
    if (end > 0) {
      const first = this.#rest.length > 0 ? bytes.indexOf(LF) + 1 : 0;
      if (first > 0) yield* this.#closeRest(bytes.subarray(0, first));
      if (first < end) yield* this.#lines(bytes.subarray(first, end));
    }
    if (end < bytes.length) this.#keep(bytes.subarray(end));
  }

  *end(): Generator<ScannedLine | null> {
    if (this.#restBytes > 0 || this.#isRestTooLong) yield* this.#closeRest(Buffer.alloc(0));
  }

  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length;
    this.#rest.push(bytes);
    if (this.#restBytes <= (this.#spec.maxLineBytes ?? MAX_LINE_BYTES)) return;
    this.#isRestTooLong = true;
    this.#rest = [Buffer.alloc(0)]; // an unfinished line begins here
  }

  *#closeRest(last: Buffer): Generator<ScannedLine | null> {
    const rest = this.#rest;
    const isTooLong = this.#isRestTooLong;
    this.#rest = [];
    this.#restBytes = 0;
    this.#isRestTooLong = false;
    if (!isTooLong) return yield* this.#lines(Buffer.concat([...rest, last]));
    if (this.#n >= this.#from && this.#n < this.#to) this.tooLong.push(this.#n);
    this.#n += 1;
    this.#before = [];
    this.#after = 0;
    this.#reached = Math.max(this.#reached, this.#n);
  }

  /** Whole lines; only the last may lack its line feed. */
  *#lines(fed: Buffer): Generator<ScannedLine | null> {
    if (this.isOver) return;
    const bytes = this.#spec.shown?.(fed) ?? fed;
    const lines = new LineWalk(bytes, this.#n);
    lines.skipTo(this.#from);
    for (;;) {
      const places = this.#candidates(lines);
      if (places.length > 0) yield* this.#match(bytes, places);
      if (this.slowLine !== null) return;
      if (places.length < BATCH_LINES) break;
      yield null;
    }
    lines.skipTo(this.#to);
    const end = lines.here;
    yield* this.#follow(bytes, end.n);
    this.#keepBefore(bytes, end);
    this.#reached = Math.max(this.#reached, end.n);
    this.#shownAt = 0;
    lines.skipTo(Number.POSITIVE_INFINITY);
    this.#n = lines.here.n;
    yield null;
  }

  /** Lines that may match, in order. */
  #candidates(lines: LineWalk): Place[] {
    const { hint } = this.#spec;
    const places: Place[] = [];
    while (places.length < BATCH_LINES && lines.here.n < this.#to) {
      const at = hint ? hint.find(lines.bytes, lines.here.start) : lines.here.start;
      if (at < 0 || at >= lines.bytes.length) break;
      lines.skipToByte(at);
      if (lines.here.n >= this.#to) break;
      places.push(lines.take());
    }
    return places;
  }

  *#match(bytes: Buffer, places: readonly Place[]): Generator<ScannedLine | null> {
    const texts = places.map((place) => this.#textOf(bytes, place));
    for (let at = 0; at < texts.length; ) {
      const { count, spans } = this.#spec.pattern.next(texts, at);
      for (let more = 0; more < count; more += 1) {
        const found = spans[more];
        const place = places[at + more];
        if (found && place) yield* this.#around(bytes, place, found);
      }
      at += count;
      const last = places[at - 1];
      if (last) this.#reached = Math.max(this.#reached, last.n + 1); // lines between candidates have no match
      const slow = count === 0 ? places[at] : undefined;
      if (slow) {
        this.slowLine = slow.n;
        return;
      }
      yield null;
    }
  }

  /** A match with the lines before it. */
  *#around(bytes: Buffer, place: Place, spans: readonly Span[]): Generator<ScannedLine> {
    yield* this.#follow(bytes, place.n);
    const first = Math.max(this.#shown, this.#from, place.n - this.#context);
    const here = linesBefore(bytes, place, place.n - first);
    const missing = place.n - first - here.length;
    for (const line of missing > 0 ? this.#before.filter(({ n }) => n >= first) : []) yield line;
    for (const line of here) yield this.#lineOf(bytes, line, null);
    yield this.#lineOf(bytes, place, spans);
    this.#shown = place.n + 1;
    this.#shownAt = place.end;
    this.#after = this.#context;
  }

  /** Lines after the last match, up to line `to`. */
  *#follow(bytes: Buffer, to: number): Generator<ScannedLine> {
    if (this.#after === 0) return;
    const lines = new LineWalk(bytes, this.#shown, this.#shownAt);
    for (; this.#after > 0 && this.#shown < to; this.#after -= 1) {
      yield this.#lineOf(bytes, lines.take(), null);
      this.#shown += 1;
    }
    this.#shownAt = lines.here.start;
    if (this.#shown < to) this.#after = 0;
  }

  #keepBefore(bytes: Buffer, end: { n: number; start: number }): void {
    if (this.#context === 0) return;
    const own = linesBefore(bytes, { ...end, end: end.start }, this.#context).filter(({ n }) => n >= this.#from);
    const known = own.length < this.#context ? this.#before : [];
    this.#before = [...known, ...own.map((place) => this.#lineOf(bytes, place, null))].slice(-this.#context);
  }

  #lineOf(bytes: Buffer, place: Place, spans: readonly Span[] | null): ScannedLine {
    return { n: place.n, text: this.#textOf(bytes, place), bytes: place.end - place.start, spans };
  }

  #textOf(bytes: Buffer, { start, end }: Place): string {
    return bytes.toString(this.#encoding, start, bytes[end - 1] === LF ? end - 1 : end);
  }
}

/** Yields the scanner's results for `pieces`, and closes them at the end. The event loop turns between pieces. */
export async function* scanPieces(
  scanner: ByteScanner,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<ScannedLine | null> {
  for await (const piece of pieces) {
    yield* scanner.feed(piece);
    if (scanner.isOver) return;
  }
  yield* scanner.end();
}
