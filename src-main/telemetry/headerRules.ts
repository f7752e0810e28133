/** Matches a token of RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Matches visible ASCII with single spaces and tabs inside. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const MOST_VALUE_CHARS = 8_192;
export const MOST_HEADERS = 20;
/** The headers that Hansard sets itself, and those that `fetch` does not accept. */
const OURS: ReadonlySet<string> = new Set([
  ...['accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'host'],
  ...['keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
]);

/** Returns why a header cannot be set, without its value; null if it can. HTTP clients accept all headers that pass, so no error of theirs contains the value. */
export function headerFault(name: string, value: string): string | null {
  if (!NAME.test(name)) return 'A header name has letters, digits and hyphens only.';
  if (OURS.has(name.toLowerCase())) return `${name} is set by Hansard itself.`;
  if (value.length > MOST_VALUE_CHARS) return `The value of ${name} is longer than 8 KB.`;
  if (!VALUE.test(value)) return `The value of ${name} is empty, or has a line break or characters that are not ASCII.`;
  return null;
}
