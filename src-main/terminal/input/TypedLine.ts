import { endsLine } from '../../pty/endsLine.ts';

/** What the keys alone reveal about the shell's line. In doubt it counts as not empty. */
export class TypedLine {
  #isEmpty = false;
  /** The start of a line was typed, perhaps before the shell began a command or a program ended: it may be in the next prompt's line. */
  #hasTyped: boolean;
  #isUntouched = true;

  /** `isBegun`: the start of a line was typed before this core came. */
  constructor(isBegun = false) {
    this.#hasTyped = isBegun;
  }

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
    this.#hasTyped = !endsLine(keys);
  }

  began(): void {
    this.#isUntouched = true;
  }

  /** `isTouched`: keys were typed at this prompt before this core came. */
  prompted(isTouched: boolean): void {
    if (isTouched) this.#isUntouched = false;
    this.#isEmpty = !this.#hasTyped && !isTouched;
  }
}
