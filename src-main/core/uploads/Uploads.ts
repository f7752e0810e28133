/** As much as is pasted, or run, at once. */
export const MAX_PASTE_CHARS = 16 * 1024 * 1024;
/** Texts that come in pieces, as long as somebody may still send the rest: a page has one under way, rarely two. */
const MAX_UPLOADS = 64;

/**
 * Texts longer than one message of a connection may be: sent in pieces, each answered before the next is sent, and taken with the call
 * that they belong to. One that is never taken gives way to newer ones.
 */
export class Uploads {
  readonly #byName = new Map<string, string>();
  readonly #maxChars: number;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** False when the text would be too long; then all of it is forgotten. */
  add(name: string, piece: string): boolean {
    const text = (this.#byName.get(name) ?? '') + piece;
    this.#byName.delete(name); // and in again: the order is that of use
    if (text.length > this.#maxChars) return false;
    this.#byName.set(name, text);
    const oldest = this.#byName.keys().next().value;
    if (this.#byName.size > MAX_UPLOADS && oldest !== undefined) this.#byName.delete(oldest);
    return true;
  }

  /** The whole text, with its last piece; undefined when the pieces before are not here. */
  take(name: string | undefined, last: string): string | undefined {
    if (name === undefined) return last;
    const before = this.#byName.get(name);
    this.#byName.delete(name);
    return before === undefined ? undefined : before + last;
  }
}
