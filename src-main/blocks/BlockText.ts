import { INDEX_EVERY_LINES } from '../contract/block.ts';
import { EndPadding } from './EndPadding.ts';
import type { IndexEntry } from './lineIndex.ts';
import { TextParser } from './TextParser.ts';

/** Final output: bytes to append to `.out` and lines to append to `.idx`. The caller owns both. */
export interface TextPart {
  text: Uint8Array;
  index: IndexEntry[];
}

const BEGIN = { line: 0, out: 0, sgr: '' };

/** Wider than any allowed screen: for callers that do not know the width. */
export const MAX_COLS = 1000;

/**
 * Converts one block's raw bytes to plain text as they come. Holds the open line (at most some KiB; the start of a longer
 * line is passed on) and possible padding at the block's end. Chunks may be cut anywhere. Never throws.
 */
export class BlockText {
  readonly #parser: TextParser;
  /** Lines and bytes of text before the parser's first. */
  readonly #before: Pick<IndexEntry, 'line' | 'out'>;
  readonly #padding = new EndPadding();
  #index: IndexEntry[] = [];
  /** Offset in the source of the parser's next byte. */
  #src: number;
  /** Set if a line's start could not become an entry, because reading cannot start there; the next suitable line becomes one. */
  #isEntryDue = false;
  #hasEnded = false;
  /** 1 if the end of the block ended its last line. */
  #openAtEnd = 0;

  /** `base`: offset in the source (output.raw) of the block's first byte. `cols`: columns of the screen at its begin. */
  constructor(base: number, cols: number = MAX_COLS, { line, out, sgr }: Omit<IndexEntry, 'src'> = BEGIN) {
    this.#src = base;
    this.#before = { line, out };
    this.#parser = new TextParser({ cols });
    this.#parser.read(Buffer.from(sgr), 0, INDEX_EVERY_LINES);
  }

  /** Continues the text of a block at one of its entries whose line is a multiple of `INDEX_EVERY_LINES`. */
  static from(entry: IndexEntry, cols?: number): BlockText {
    return new BlockText(entry.src, cols, entry);
  }

  /** Number of lines so far, including a non-empty open line. */
  get lines(): number {
    return this.#before.line + this.#parser.lines.lines + (this.#parser.lines.hasOpenLine ? 1 : this.#openAtEnd);
  }

  feed(bytes: Uint8Array): TextPart {
    if (this.#hasEnded) throw new Error('A BlockText was fed after its end');
    for (const piece of this.#padding.feed(bytes)) this.#read(piece);
    return this.#part(this.#parser.lines.take());
  }

  /** Ends the block: returns the open line, without a line feed. */
  end(): TextPart {
    if (this.#hasEnded) return this.#part(new Uint8Array(0));
    this.#hasEnded = true;
    for (const piece of this.#padding.end()) this.#read(piece);
    this.#parser.end();
    this.#openAtEnd = this.#parser.lines.hasOpenLine ? 1 : 0;
    return this.#part(this.#parser.lines.flush());
  }

  #part(text: Uint8Array): TextPart {
    const index = this.#index;
    this.#index = [];
    return { text, index };
  }

  #read(bytes: Uint8Array): void {
    let i = 0;
    while (i < bytes.length) {
      const stopEvery = this.#isEntryDue ? 1 : INDEX_EVERY_LINES;
      const before = this.#parser.lines.lines;
      const next = this.#parser.read(bytes, i, stopEvery);
      this.#src += next - i;
      i = next;
      const { lines } = this.#parser.lines;
      if (lines !== before && lines % stopEvery === 0) this.#noteEntry();
    }
  }

  #noteEntry(): void {
    this.#isEntryDue = !this.#parser.isAtRest;
    if (this.#isEntryDue) return;
    const { lines, wholeLinesBytes } = this.#parser.lines;
    this.#index.push({
      line: this.#before.line + lines,
      out: this.#before.out + wholeLinesBytes,
      src: this.#src,
      sgr: this.#parser.restoreSequence,
    });
  }
}
