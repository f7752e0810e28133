import { coveredIn, REDACTED } from './redactedLines.ts';

/** One per character, so that offsets stay the same; no secret contains it. */
const BLANK = '•';

/** A part of a text, and its units that belong to secrets. */
export class RedactedStretch {
  /** The text with its secrets blanked, of the same length: the only text that a client's search may run on. */
  readonly blanked: string;
  readonly #text: string;
  readonly #covered: ReadonlySet<number>;

  /** `before` and `after`: the adjacent text; a secret may begin in one and end in the other. */
  constructor(text: string, { before, after }: { before: string; after: string }) {
    const { covered } = coveredIn([before, text, after], () => '');
    this.#text = text;
    this.#covered = covered[1] ?? new Set();
    this.blanked = [...this.#runs(0, text.length)]
      .map(({ run, isSecret }) => (isSecret ? BLANK.repeat(run.length) : run))
      .join('');
  }

  /** The range [from, to), redacted. A secret over several lines counts once. */
  told(from: number, to: number): { text: string; redactions: number } {
    let text = '';
    let redactions = 0;
    let isOpen = false;
    for (const { run, isSecret } of this.#runs(from, to)) {
      text += isSecret ? REDACTED : run;
      if (isSecret && !isOpen) redactions += 1;
      isOpen = isSecret || (isOpen && run.trim() === '');
    }
    return { text, redactions };
  }

  *#runs(from: number, to: number): Generator<{ run: string; isSecret: boolean }> {
    if (this.#covered.size === 0) {
      if (to > from) yield { run: this.#text.slice(from, to), isSecret: false };
      return;
    }
    for (let start = from, at = from + 1; start < to; at += 1) {
      const isSecret = this.#covered.has(start);
      if (at < to && this.#covered.has(at) === isSecret) continue;
      yield { run: this.#text.slice(start, at), isSecret };
      start = at;
    }
  }
}
