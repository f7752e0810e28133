import type { ScreenStep } from '../../../contract/chat/extractor.ts';

/** A program has drawn itself anew so long after a resize; what is cut at the edge later is cut by itself. */
const REDRAW_MS = 1000;
/** Shorter rows are cut by chance. */
const MIN_CHARS = 12;

/**
 * Tells pictures of the alternate screen that were drawn for another size: it is not wrapped anew when the window changes, so that until
 * the program draws again its rows are cut off, or its words stand where they do not belong.
 */
export class DrawnSize {
  #cols = 0;
  #resizedMs = Number.NEGATIVE_INFINITY;
  /** Rows of the last picture that fitted its size. */
  #fitting: readonly string[] = [];
  /** Those of a wider screen as this one cuts them, and how many of them stood on it. */
  #cut: ReadonlySet<string> = new Set();
  #mostCut = 1;

  /** Whether the picture was drawn for the size it has. Ask once for each step, in order. */
  fits(step: ScreenStep): boolean {
    const texts = step.rows.map(({ text }) => text.trimEnd());
    if (step.cols !== this.#cols) this.#resized(step);
    if (step.altScreen && (step.isMisfit || this.#isCutOff(step, texts))) return false;
    this.#cut = new Set();
    this.#fitting = texts;
    return true;
  }

  #resized({ cols, atMs }: ScreenStep): void {
    const wide = this.#fitting.filter((text) => text.length > cols);
    this.#cut = new Set(wide.map((text) => text.slice(0, cols).trimEnd()).filter(hasWords));
    this.#mostCut = 1;
    this.#cols = cols;
    this.#resizedMs = atMs;
  }

  /** All rows that the edge cut off are as they were: with fewer the program has begun to draw. */
  #isCutOff({ isErased, atMs }: ScreenStep, texts: readonly string[]): boolean {
    if (isErased || this.#cut.size === 0 || atMs - this.#resizedMs > REDRAW_MS) return false;
    const count = texts.filter((text) => this.#cut.has(text)).length;
    if (count < this.#mostCut) return false;
    this.#mostCut = count;
    return true;
  }
}

function hasWords(text: string): boolean {
  return text.length >= MIN_CHARS && /[\p{L}\p{N}]/u.test(text);
}
