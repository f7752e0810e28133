const ESC = '\x1b';
const ERASE = '\x7f';
/** Sequences that no key sends and that change no text: a paste's ends, focus, mouse. */
const PASSIVE = /^\x1b\[(?:20[01]~|[IO]|<[\d;]+[Mm])$/;
/** More is no key: what follows is text again. */
const MAX_SEQUENCE = 64;
/** Nobody asks for more. */
const MAX_TEXT = 4096;

/**
 * What is sent to a program with an input box, as far as the keys alone tell: text typed, erased at its end or pasted, up to Return. Keys
 * come in pieces that are cut anywhere. A key that may do something else to the text (an arrow, Tab, Ctrl) leaves it unknown up to
 * the next Return.
 */
export class SentText {
  /** Null: unknown. What was typed before anybody listened is. */
  #text: string | null = null;
  #sequence = '';
  #isPaste = false;

  /** What these keys send, in order; null for what is unknown. */
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
