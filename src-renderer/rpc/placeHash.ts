/** Whether the text after `#` is a link to a card. A one-time code has no slash. */
export function isPlaceHash(hash: string): boolean {
  return hash.startsWith('#/');
}
