/** RFC 9110: a token. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Visible ASCII with single spaces and tabs within. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const MOST_VALUE_CHARS = 8_192;
export const MOST_HEADERS = 20;
/** The request's own, and those that `fetch` does not let be set. */
const OURS: ReadonlySet<string> = new Set([
  ...['accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'host'],
  ...['keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
]);

/** Why a header cannot be set, without its value; null when it can. What is accepted here, no HTTP client refuses with the value in its error. */
export function headerFault(name: string, value: string): string | null {
  if (!NAME.test(name)) return 'A header name has letters, digits and hyphens only.';
  if (OURS.has(name.toLowerCase())) return `${name} is set by Hansard itself.`;
  if (value.length > MOST_VALUE_CHARS) return `The value of ${name} is longer than 8 KB.`;
  if (!VALUE.test(value)) return `The value of ${name} is empty, or has a line break or characters that are not ASCII.`;
  return null;
}
