/** Return, line feed, Ctrl-C and Ctrl-D, as keys and as bytes: after these nothing stands in the line. */
const LINE_ENDS: ReadonlySet<string | number> = new Set(['\r', '\n', '\x03', '\x04', 0x0d, 0x0a, 0x03, 0x04]);

/** What is known of the shell's line from the keys alone. It errs on the side of "something may stand there". */
export class TypedLine {
  #isEmpty = false;
  /** The beginning of a line was typed since the last command began; what its program did not read stands in the next line. */
  #hasTyped = false;
  #isUntouched = true;

  /** Nothing stands in the line: a prompt came, and no key since. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Nothing at all was typed since the last command began, so no line of the person's can run before one that is sent now. */
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

  prompted(): void {
    this.#isEmpty = !this.#hasTyped;
  }
}
