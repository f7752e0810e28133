import type { StyledLine, StyledSpan } from '../contract/block.ts';
import { type ImageSlice, readSlice } from '../contract/image.ts';
import { MAX_COLS } from './BlockText.ts';
import { EndPadding } from './EndPadding.ts';
import type { IndexEntry } from './lineIndex.ts';
import type { SgrState } from './SgrState.ts';
import { TextParser } from './TextParser.ts';

export interface StyledStart {
  /** Start of reading; absent for the block's start. */
  entry?: IndexEntry;
  /** Columns of the index's header. */
  cols?: number;
  /** Number of lines to return; reading beyond them costs nothing. */
  count?: number;
  /** True for rendered lines, which contain images; raw output contains none. */
  hasImages?: boolean;
}

/**
 * Lines of a block with attributes, read from its source bytes (raw or rendered), from its start or any index entry. The
 * joined texts of a line's spans equal the line of `.out`. Chunks may be cut anywhere. Never throws.
 */
export class StyledLines {
  readonly #parser: TextParser;
  readonly #padding = new EndPadding();
  readonly #count: number;
  readonly #styles = new StyleTable();
  #lines: StyledLine[] = [];
  #spans: StyledSpan[] = [];
  #images: ImageSlice[] = [];
  #lastStyle = 0;
  #next: number;
  #given = 0;

  constructor({ entry, cols = MAX_COLS, count = Number.POSITIVE_INFINITY, hasImages }: StyledStart = {}) {
    this.#count = count;
    this.#next = entry?.line ?? 0;
    this.#parser = new TextParser({
      cols,
      onStyle: (sgr, href) => this.#styles.numberOf(sgr, href),
      listener: (bytes, piece) => this.#take(bytes, piece),
      ...(hasImages && { onString: (text: string) => this.#takeImage(text) }),
    });
    const restore = Buffer.from(entry?.sgr ?? '', 'utf8');
    this.#parser.read(restore, 0, 1);
  }

  /** True when all requested lines were returned. */
  get isDone(): boolean {
    return this.#given >= this.#count;
  }

  feed(bytes: Uint8Array): StyledLine[] {
    for (const piece of this.#padding.feed(bytes)) this.#read(piece);
    this.#parser.lines.take();
    return this.#part();
  }

  /** Call this at the end of the source: returns the open line. */
  end(): StyledLine[] {
    for (const piece of this.#padding.end()) this.#read(piece);
    if (!this.isDone) {
      this.#parser.end();
      this.#parser.lines.flush();
    }
    return this.#part();
  }

  #read(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length && !this.isDone; ) i = this.#parser.read(bytes, i, 1);
  }

  #part(): StyledLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  #take(bytes: Uint8Array, piece: { from: number; to: number; runs: readonly number[]; isEnd: boolean }): void {
    if (this.isDone) return;
    for (let i = 0; i < piece.runs.length; i += 2) {
      const from = piece.from + (piece.runs[i] as number);
      const to = i + 2 < piece.runs.length ? piece.from + (piece.runs[i + 2] as number) : piece.to;
      if (to > from) this.#addSpan(Buffer.from(bytes.subarray(from, to)).toString('utf8'), piece.runs[i + 1] as number);
    }
    if (!piece.isEnd) return;
    const images = this.#images;
    this.#lines.push({ n: this.#next++, spans: this.#spans, ...(images.length > 0 && { images }) });
    this.#spans = [];
    this.#images = [];
    this.#given++;
    if (this.#styles.isFull) {
      this.#styles.clear();
      this.#parser.restyle();
    }
  }

  #takeImage(text: string): void {
    const slice = readSlice(text);
    if (slice) this.#images.push(slice);
  }

  #addSpan(text: string, style: number): void {
    const last = this.#spans.at(-1);
    const look = this.#styles.look(style);
    if (last && this.#lastStyle === style) last.text += text;
    else this.#spans.push({ text, ...look });
    this.#lastStyle = style;
  }
}

/** Numbers for attributes, so that a line contains only numbers. Bounded: a flood of colours resets it between lines. */
class StyleTable {
  readonly #numbers = new Map<string, number>();
  readonly #looks: Omit<StyledSpan, 'text'>[] = [];

  constructor() {
    this.clear();
  }

  get isFull(): boolean {
    return this.#looks.length > MAX_LOOKS;
  }

  clear(): void {
    this.#numbers.clear();
    this.#numbers.set(DEFAULT_KEY, 0);
    this.#looks.length = 0;
    this.#looks.push({});
  }

  numberOf(sgr: SgrState, href: string): number {
    const key = `${sgr.key} ${href}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#looks.push({ ...sgr.toSpan(), ...(href === '' ? {} : { href }) });
    this.#numbers.set(key, this.#looks.length - 1);
    return this.#looks.length - 1;
  }

  look(style: number): Omit<StyledSpan, 'text'> {
    return this.#looks[style] ?? {};
  }
}

const DEFAULT_KEY = '-1 -1 0 ';
const MAX_LOOKS = 4096;
