import { LINES_ABOVE, mayBeKey, needsAbove, redactedLines } from './redactedLines.ts';

/** Stands for what is still to come: by it a key's last line, which may be short, is told from a word. */
const KEY_END = '-----END PRIVATE KEY-----';

/** Takes secrets out of the lines of one text that comes batch by batch. */
export class RedactingLines {
  #above: readonly string[] = [];
  #redactions = 0;

  /** So far. */
  get redactions(): number {
    return this.#redactions;
  }

  take(lines: readonly string[]): readonly string[] {
    const isInKey = needsAbove(lines) || mayBeKey(this.#above.slice(-1));
    const redacted = redactedLines([...lines, KEY_END], { above: isInKey ? this.#above : [] });
    this.#above = [...this.#above, ...lines.slice(-LINES_ABOVE)].slice(-LINES_ABOVE);
    this.#redactions += redacted.redactions;
    return redacted.lines.slice(0, lines.length);
  }
}

/** A short text without its secrets. */
export function withoutSecrets(text: string): { text: string; redactions: number } {
  const { lines, redactions } = redactedLines(text.split('\n'));
  return { text: lines.join('\n'), redactions };
}
