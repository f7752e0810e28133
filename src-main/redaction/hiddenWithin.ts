/**
 * What a terminal does not show, between two characters that it shows: zero-width and format characters, variation selectors, tags, fillers,
 * controls. A token with them in it looks whole to a reader, who can take them out as easily.
 */
const WITHIN = /(?<=[!-~])(?:[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?![\t\n\r])\p{Cc})+(?=[!-~])/gu;
const ORDINARY = /^[\t\n\r\x20-\x7e]*$/;

/** The text without them. */
export function withoutHidden(text: string): string {
  return ORDINARY.test(text) ? text : text.replace(WITHIN, '');
}

/**
 * `text` with `change` made where it has nothing hidden within: `change` keeps the length of its text. What is hidden stays where it was, unless
 * both of its neighbours were changed; then it was part of it.
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
