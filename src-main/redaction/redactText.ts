import { redactedLines } from './redactedLines.ts';

/** A short text without its secrets. */
export function redactText(text: string): { text: string; redactions: number } {
  const { lines, redactions } = redactedLines(text.split('\n'));
  return { text: lines.join('\n'), redactions };
}
