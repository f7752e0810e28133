/**
 * Invisible characters between two visible ones: zero-width and format characters, variation selectors, tags, fillers, controls. A token that
 * contains them looks whole to a reader, who can easily remove them.
 */
const WITHIN = /(?<=[!-~])(?:[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?![\t\n\r])\p{Cc})+(?=[!-~])/gu;
const ORDINARY = /^[\t\n\r\x20-\x7e]*$/;

/** The text without invisible characters. */
export function withoutHidden(text: string): string {
  return ORDINARY.test(text) ? text : text.replace(WITHIN, '');
}

/**
 * Applies `change`, which keeps the length, to the text without its invisible characters. Invisible characters keep their positions, unless both
 * neighbours were changed; then they were part of the secret.
 */
export function changedAround(text: string, change: (bare: string) => string, blank: string): string {
  const bare = withoutHidden(text);
  const changed = change(bare);
  const isChanged = (at: number): boolean => changed[at] !== bare[at];
  let result = '';
  let from = 0;
  let at = 0;
  for (const { index, 0: hidden } of text.matchAll(WITHIN)) {
    const until = at + index - from;
    result += changed.slice(at, until);
    result += isChanged(until - 1) && isChanged(until) ? blank.repeat(hidden.length) : hidden;
    at = until;
    from = index + hidden.length;
  }
  return result + changed.slice(at);
}
