import { beginsLine } from '../../pty/beginsLine.ts';
import { isFocusReport } from '../../pty/isFocusReport.ts';

/** A bracketed paste of one row, or of several with Return behind it. */
const PASTE = /\x1b\[200~(?:[^\x00-\x08\x0a-\x1f]*\x1b\[201~|[^\x1b]*\x1b\[201~[\r\n])/g;
/** Keys that may move the cursor, leave insert mode, or wait for a second key: all control characters but Return and Ctrl-U. */
const EDITING = /[\x00-\x09\x0b\x0c\x0e-\x14\x16-\x1f]/;

/** Pastes, perhaps without their end. */
const PASTED = /\x1b\[200~[^\x1b]*(?:\x1b\[201~)?/g;
/** Keys that enter a line, Ctrl-O in bash and zsh. */
const ENTERS = /[\r\n\x0f]/;

/** Whether other keys were typed: `line` at this prompt, `ahead` before it, perhaps for the program that ran then. */
type Edited = 'no' | 'ahead' | 'line';

/** What the keys alone reveal about the shell's line. In doubt it counts as not empty. */
export class TypedLine {
  #isEmpty = false;
  /** The start of a line was typed, perhaps before the shell began a command or a program ended: it may be in the next prompt's line. */
  #hasTyped: boolean;
  #isUntouched = true;
  #isAtPrompt = false;
  #edited: Edited = 'line';
  #mayRun = false;

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

  /** The last key ended a line, and the shell has not yet said what became of it. It may ask for the rest of a command. */
  get isEntered(): boolean {
    return !this.#isEmpty && !this.#hasTyped;
  }

  /** A line was entered, and the shell has not yet said what became of it: a command may be about to begin. */
  get mayRun(): boolean {
    return this.#mayRun;
  }

  /** Unless `no`, Ctrl-U may not empty the line. */
  get edited(): Edited {
    return this.#edited;
  }

  typed(keys: string | Uint8Array): void {
    if (isFocusReport(keys) && !this.#hasTyped) return; // the shell asked for it, or a line editor ignores it
    this.#isEmpty = false;
    this.#isUntouched = false;
    this.#hasTyped = beginsLine(keys, this.#hasTyped);
    const text = Buffer.from(keys as string).toString('latin1');
    this.#mayRun ||= ENTERS.test(text.replaceAll(PASTED, ''));
    if (!EDITING.test(text.replaceAll(PASTE, ''))) return;
    if (this.#isAtPrompt) this.#edited = 'line';
    else if (this.#edited === 'no') this.#edited = 'ahead';
  }

  began(): void {
    this.#isUntouched = true;
    this.#isAtPrompt = false;
    this.#mayRun = false;
    this.#edited = this.#hasTyped && this.#edited !== 'no' ? 'ahead' : 'no';
  }

  /** `isTouched`: keys were typed at this prompt before this core came. */
  prompted(isTouched: boolean): void {
    if (isTouched) this.#isUntouched = false;
    this.#isEmpty = !this.#hasTyped && !isTouched;
    this.#isAtPrompt = true;
    this.#mayRun = false;
    if (isTouched) this.#edited = 'line';
    else if (!this.#hasTyped) this.#edited = 'no';
  }
}
