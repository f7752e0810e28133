import { requiredText } from './requiredText.ts';

/** Finds candidate lines by their bytes: skipped lines have no match. */
export interface LineHint {
  /** Offset of the next candidate from `from` on, or -1. Pass the same buffer until it is exhausted. */
  find(bytes: Buffer, from: number): number;
}

/** Mapping of bytes to characters. */
export type ScanEncoding = 'utf8' | 'latin1';

/** Null if every line may match. */
export function hintOf(source: string, flags: string, encoding: ScanEncoding = 'utf8'): LineHint | null {
  const texts = requiredText(source, flags);
  if (!texts) return null;
  const isFolded = flags.includes('i');
  const sure = texts.map((text) => longestSure(text, isFolded, encoding));
  if (sure.some((text) => text === '')) return null;
  if (isFolded) return new PatternHint(sure.map((text) => foldedBytes(text, flags.includes('u'))).join('|'));
  return new BytesHint(sure.map((text) => Buffer.from(text, encoding)));
}

/**
 * The longest part of a text with certain bytes: half of a surrogate pair may belong to another character, U+FFFD represents any invalid byte, and
 * the case of letters beyond ASCII depends on the flags.
 */
function longestSure(text: string, isFolded: boolean, encoding: ScanEncoding): string {
  const unsure = isFolded ? /[^\0-\x7f]/u : encoding === 'latin1' ? /[^\0-\xff]/u : /[\p{Surrogate}\ufffd]/u;
  return text.split(unsure).reduce((best, piece) => (piece.length > best.length ? piece : best), '');
}

/** Finds texts by their exact bytes. */
class BytesHint implements LineHint {
  readonly #texts: readonly Buffer[];
  #bytes: Buffer | null = null;
  /** The next offset of each text. */
  #next: number[] = [];

  constructor(texts: readonly Buffer[]) {
    this.#texts = texts;
  }

  find(bytes: Buffer, from: number): number {
    if (this.#bytes !== bytes) this.#next = this.#texts.map(() => -2);
    this.#bytes = bytes;
    let nearest = -1;
    for (const [at, text] of this.#texts.entries()) {
      const known = this.#next[at] ?? -2;
      const found = known === -1 || known >= from ? known : bytes.indexOf(text, from);
      this.#next[at] = found;
      if (found >= 0 && (nearest < 0 || found < nearest)) nearest = found;
    }
    return nearest;
  }
}

/** An expression over bytes as characters, which takes linear time. */
export class PatternHint implements LineHint {
  readonly #pattern: RegExp;
  #bytes: Buffer | null = null;
  #text = '';

  constructor(source: string) {
    this.#pattern = new RegExp(source, 'g');
  }

  find(bytes: Buffer, from: number): number {
    if (this.#bytes !== bytes) this.#text = bytes.toString('latin1');
    this.#bytes = bytes;
    this.#pattern.lastIndex = from;
    return this.#pattern.exec(this.#text)?.index ?? -1;
  }
}

/** Bytes in both cases. Two letters beyond ASCII fold to an ASCII letter: K (kelvin) and ſ (long s), and only under `u`. */
function foldedBytes(text: string, isUnicode: boolean): string {
  return Array.from(text, (char) => {
    const letter = char.toLowerCase();
    if (!/[a-z]/.test(letter)) return char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
    const either = `[${letter}${letter.toUpperCase()}]`;
    if (isUnicode && letter === 'k') return `(?:${either}|\\xe2\\x84\\xaa)`;
    return isUnicode && letter === 's' ? `(?:${either}|\\xc5\\xbf)` : either;
  }).join('');
}
