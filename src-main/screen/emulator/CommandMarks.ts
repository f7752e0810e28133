import type xterm from '@xterm/headless';
import type { StateLines } from '../../contract/screen/stateLines.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { rowsFromMark, type ScreenMark, textFromMark } from '../rows/promptText.ts';

/** Where the prompt, its end and the running command's output are in the buffer of one terminal, and the command that the cells show. */
export class CommandMarks implements IDisposable {
  readonly #terminal: xterm.Terminal;
  #promptEnd: ScreenMark | undefined;
  /** The shell has not marked it, see `assumeEnd`. */
  #isEndAssumed = false;
  #promptLine: xterm.IMarker | undefined;
  #beginLine: xterm.IMarker | undefined;
  #commandText: string | null = null;
  #resizes = 0;
  /** Of the last command, where it was entered in several rows. */
  commandRows: readonly string[] | null = null;

  constructor(terminal: xterm.Terminal) {
    this.#terminal = terminal;
  }

  /** The end of the prompt, unless it is not known or the screen had another size then. */
  get promptEnd(): ScreenMark | undefined {
    return this.#promptEnd?.resizes === this.#resizes ? this.#promptEnd : undefined;
  }

  /** The screen gets another size: what the cells show from the prompt's end on is no longer exact. */
  resized(): void {
    this.#resizes += 1;
  }

  /** Notes that the shell's cycle is at `kind` now. */
  note(kind: 'promptStart' | 'promptEnd' | 'begin'): void {
    if (kind === 'promptStart') {
      this.#promptLine = this.#replaceMarker(this.#promptLine);
      this.#beginLine?.dispose();
      if (this.#isEndAssumed) this.dropPromptEnd(); // of the prompt before: this shell will not say where the new one ends
    } else if (kind === 'begin') {
      this.#beginLine = this.#replaceMarker(this.#beginLine);
      this.#commandText = this.#readCommand(true);
      this.commandRows = this.#readRows();
      this.dropPromptEnd();
    } else {
      this.dropPromptEnd();
      this.#commandText = null;
      const marker = this.#terminal.registerMarker(0);
      if (!marker) return; // the alternate buffer keeps none
      this.#promptEnd = { marker, col: this.#terminal.buffer.active.cursorX, resizes: this.#resizes };
    }
  }

  /** Forgets where the prompt ended, when a mark came too late to have a place. */
  lose(): void {
    this.dropPromptEnd();
    this.#commandText = null;
    this.commandRows = null;
  }

  /** Takes the prompt to end where the cursor stands, if its end is not known. */
  assumeEnd(): void {
    if (this.promptEnd && !this.promptEnd.marker.isDisposed) return;
    this.note('promptEnd');
    this.#isEndAssumed = true;
  }

  /** Lines of the normal buffer, scrollback included, at which the present prompt and the running command's output start. */
  lines(): StateLines {
    return { beginLine: lineOf(this.#beginLine), promptLine: lineOf(this.#promptLine) };
  }

  /** What was typed at the prompt: exact as far as the cells tell, or null. Until the next prompt it is the last command's. */
  commandText(): string | null {
    return this.#promptEnd ? this.#readCommand(false) : this.#commandText;
  }

  dropPromptEnd(): void {
    this.#promptEnd?.marker.dispose();
    this.#promptEnd = undefined;
    this.#isEndAssumed = false;
  }

  dispose(): void {
    this.dropPromptEnd();
  }

  #readCommand(isEntered: boolean): string | null {
    return this.promptEnd ? textFromMark(this.#terminal, this.promptEnd, isEntered) : null;
  }

  #readRows(): readonly string[] | null {
    const rows = this.promptEnd ? rowsFromMark(this.#terminal, this.promptEnd) : null;
    return rows && rows.length > 1 ? rows : null;
  }

  #replaceMarker(old: xterm.IMarker | undefined): xterm.IMarker | undefined {
    old?.dispose();
    return this.#terminal.registerMarker(0);
  }
}

function lineOf(marker: xterm.IMarker | undefined): number | null {
  return !marker || marker.isDisposed || marker.line < 0 ? null : marker.line;
}
