/** Cuts a text to `maxChars` and marks the cut, so that a reader and the redaction of secrets know that the last word may be a part of one. */
export function cutLine(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
