/** Return, line feed, Ctrl-C and Ctrl-D, as keys and as bytes: after these the line is empty. */
const LINE_ENDS: ReadonlySet<string | number> = new Set(['\r', '\n', '\x03', '\x04', 0x0d, 0x0a, 0x03, 0x04]);

/** What the keys alone reveal about the shell's line. In doubt it counts as not empty. */
export class TypedLine {
  #isEmpty = false;
  /** The start of a line was typed since the last command began; text that its program did not read is in the next line. */
  #hasTyped = false;
  #isUntouched = true;

  /** The line is empty: a prompt came, and no key since. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** No key was typed since the last command began, so none of the person's lines can run before one that is sent now. */
  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  typed(keys: string | Uint8Array): void {
    this.#isEmpty = false;
    this.#isUntouched = false;
    this.#hasTyped = !LINE_ENDS.has(keys.at(-1) ?? '');
  }

  began(): void {
    this.#hasTyped = false;
    this.#isUntouched = true;
  }

  /** `isTouched`: keys were typed at this prompt before this core came. */
  prompted(isTouched: boolean): void {
    if (isTouched) this.#isUntouched = false;
    this.#isEmpty = !this.#hasTyped && !isTouched;
  }
}
