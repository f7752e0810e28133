/** Code of a key that an input method took. */
const TAKEN = 229;

/**
 * Whether an input method has this key, so that it means nothing else. Safari ends the composition before it reports the key that ended it; only
 * the code of that key says whose it was.
 */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return event.isComposing || event.keyCode === TAKEN;
}
