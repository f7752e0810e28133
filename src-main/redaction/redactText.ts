import { redactedLines } from './redactedLines.ts';

/** Redacts a short text. */
export function redactText(text: string): { text: string; redactions: number } {
  const { lines, redactions } = redactedLines(text.split('\n'));
  return { text: lines.join('\n'), redactions };
}
