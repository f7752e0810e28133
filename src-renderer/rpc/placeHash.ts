/** Whether what stands behind the `#` is a place and no one-time code, which has no slash. */
export function isPlaceHash(hash: string): boolean {
  return hash.startsWith('#/');
}
