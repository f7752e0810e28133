import { LINES_ABOVE, mayBeKey, redactedLines } from './redactedLines.ts';

/** Takes secrets out of the lines of one text that comes batch by batch. */
export class RedactingLines {
  #above: readonly string[] = [];
  #redactions = 0;

  /** So far. */
  get redactions(): number {
    return this.#redactions;
  }

  take(lines: readonly string[]): readonly string[] {
    const redacted = redactedLines(lines, { above: mayBeKey(lines) ? this.#above : [] });
    this.#above = [...this.#above, ...lines.slice(-LINES_ABOVE)].slice(-LINES_ABOVE);
    this.#redactions += redacted.redactions;
    return redacted.lines;
  }
}

/** A short text without its secrets. */
export function withoutSecrets(text: string): { text: string; redactions: number } {
  const { lines, redactions } = redactedLines(text.split('\n'));
  return { text: lines.join('\n'), redactions };
}
