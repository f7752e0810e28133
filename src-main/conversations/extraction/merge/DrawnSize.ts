import type { ScreenStep } from '../../../contract/chat/extractor.ts';

/** Programs redraw within this time after a resize, ms. Rows cut off later were cut by the program itself. */
const REDRAW_MS = 1000;
/** A shorter row may equal a cut one by chance. */
const MIN_CHARS = 12;

/**
 * Recognizes pictures of the alternate screen that were drawn for another size. A resize does not rewrap the alternate screen, so until
 * the program redraws, its rows are cut off or its words are in the wrong places.
 */
export class DrawnSize {
  #cols = 0;
  #resizedMs = Number.NEGATIVE_INFINITY;
  /** Rows of the last picture that fitted its size. */
  #fitting: readonly string[] = [];
  /** Rows of the wider screen, cut to the present width, and how many of them the last cut-off picture had. */
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

  /** Whether all cut-off rows are still there. Fewer mean that the program has begun to redraw. */
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
