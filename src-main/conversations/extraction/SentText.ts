const ESC = '\x1b';
const ERASE = '\x7f';
/** Sequences that no key sends and that do not change the text: the ends of a paste, focus, mouse. */
const PASSIVE = /^\x1b\[(?:20[01]~|[IO]|<[\d;]+[Mm])$/;
/** A longer sequence is not a key; the bytes after it are text again. */
const MAX_SEQUENCE = 64;
/** A longer text is not a typed prompt and counts as unknown. */
const MAX_TEXT = 4096;

/**
 * Finds the text that is sent to a program with an input box, from the keys alone: text typed, erased at its end or pasted, up to Return.
 * Keys come in pieces that may be cut anywhere. A key that may change the text in another way (an arrow, Tab, Ctrl) makes it unknown up to
 * the next Return.
 */
export class SentText {
  /** Null: unknown, like the text typed before this object existed. */
  #text: string | null = null;
  #sequence = '';
  #isPaste = false;

  /** Returns the texts that these keys send, in order; null for an unknown text. */
  typed(keys: string): (string | null)[] {
    const sent: (string | null)[] = [];
    for (const key of keys) {
      if (key === '\r' && !this.#isPaste) {
        sent.push(this.#sequence === '' ? this.#text : null);
        this.#text = '';
        this.#sequence = '';
      } else if (this.#sequence !== '' || key === ESC) this.#inSequence(key);
      else this.#put(key);
    }
    return sent;
  }

  #put(key: string): void {
    if (this.#text === null) return;
    if (key === ERASE && !this.#isPaste) this.#text = [...this.#text].slice(0, -1).join('');
    else if (key < ' ' && !this.#isPaste) this.#text = null;
    else this.#text = this.#text.length < MAX_TEXT ? this.#text + key : null;
  }

  #inSequence(key: string): void {
    this.#sequence += key;
    const isCsi = this.#sequence[1] === '[';
    const isWhole = isCsi ? this.#sequence.length > 2 && key >= '@' && key <= '~' : this.#sequence.length > 1;
    if ((!isWhole || this.#sequence === `${ESC}O`) && this.#sequence.length < MAX_SEQUENCE) return;
    if (this.#sequence === `${ESC}[200~`) this.#isPaste = true;
    if (this.#sequence === `${ESC}[201~`) this.#isPaste = false;
    if (!PASSIVE.test(this.#sequence)) this.#text = null;
    this.#sequence = '';
  }
}
