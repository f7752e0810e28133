/** The text that stays in a field after `sent` was sent from it: what the person typed meanwhile. */
export function textAfterSending(text: string, sent: string): string {
  return text.startsWith(sent) ? text.slice(sent.length) : text;
}
