/** The bytes of each key, in the order in which they are pressed. */
export type KeySequence = readonly Uint8Array[];

const PASTE_BEGIN = '\x1b[200~';
const PASTE_END = '\x1b[201~';

/** Parses `ctrl+\ d`: keys separated by spaces, each a character or `ctrl+` and one of `a`–`z @ [ \ ] ^ _`. Null for invalid text. */
export function parseDetachKeys(text: string): KeySequence | null {
  const names = text.trim().split(/\s+/);
  const keys = names.map(keyBytes);
  return names[0] === '' || keys.length > 8 || keys.includes(null) ? null : (keys as Uint8Array[]);
}

function keyBytes(name: string): Uint8Array | null {
  const control = /^(?:ctrl|control|c)[+-](.)$/i.exec(name) ?? /^\^(.)$/.exec(name);
  if (!control) return [...name].length === 1 ? new TextEncoder().encode(name) : null;
  const code = (control[1] as string).toUpperCase().charCodeAt(0);
  return code >= 0x40 && code <= 0x5f ? Uint8Array.of(code - 0x40) : null;
}

/**
 * Finds the detach keys in the typed bytes and passes all other bytes on. A partial sequence is held back; the first key pressed twice passes once. A
 * bracketed paste is text, whatever it contains.
 */
export class DetachKeys {
  readonly #keys: KeySequence;
  /** All bytes of the keys, and the length of the first key. */
  readonly #whole: Uint8Array;
  #held: number[] = [];
  #isPasting = false;
  /** The last bytes, as many as a paste bracket has. */
  #recent = '';

  constructor(keys: KeySequence) {
    this.#keys = keys;
    this.#whole = Uint8Array.from(keys.flatMap((key) => [...key]));
  }

  /** Returns the bytes for the program. `isDetached`: the detach keys were pressed; later bytes are dropped. */
  feed(bytes: Uint8Array): { passed: Uint8Array; isDetached: boolean } {
    const passed: number[] = [];
    for (const byte of bytes) {
      if (this.#isPasting) passed.push(byte);
      else this.#take(byte, passed);
      this.#watchPaste(byte);
      if (this.#held.length === this.#whole.length) return { passed: Uint8Array.from(passed), isDetached: true };
    }
    return { passed: Uint8Array.from(passed), isDetached: false };
  }

  #take(byte: number, passed: number[]): void {
    if (byte === this.#whole[this.#held.length]) {
      this.#held.push(byte);
      return;
    }
    const first = this.#keys[0] as Uint8Array;
    const isFirstAgain = this.#held.length === first.length && first.length === 1 && byte === first[0];
    passed.push(...this.#held);
    this.#held = [];
    if (isFirstAgain) return;
    if (byte === this.#whole[0]) this.#held = [byte];
    else passed.push(byte);
  }

  #watchPaste(byte: number): void {
    this.#recent = (this.#recent + String.fromCharCode(byte)).slice(-PASTE_BEGIN.length);
    if (this.#recent === PASTE_BEGIN) this.#isPasting = true;
    if (this.#recent === PASTE_END) this.#isPasting = false;
  }
}
