import type xterm from '@xterm/headless';
import type { StateLines } from '../../contract/screen/stateLines.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { rowsFromMark, type ScreenMark, textFromMark } from '../rows/promptText.ts';

/**
 * Position of a mark in the shell's cycle. `end` is the command's end; `prompt` is the hook's report that the shell is at its prompt. Output after
 * `shellText` is the shell's prompt and command line, output after `programText` a program's.
 */
export type MarkKind = 'promptStart' | 'promptEnd' | 'begin' | 'end' | 'prompt' | 'shellText' | 'programText';

/** True for marks that say whose text follows. */
export function isOfText(kind: MarkKind): kind is 'shellText' | 'programText' {
  return kind === 'shellText' || kind === 'programText';
}

/** The positions of the prompt, of its end and of the running command's output in a terminal's buffer, and the command in the cells. */
export class CommandMarks implements IDisposable {
  readonly #terminal: xterm.Terminal;
  #promptEnd: ScreenMark | undefined;
  /** The shell did not mark the prompt's end, see `assumeEnd`. */
  #isEndAssumed = false;
  #promptLine: xterm.IMarker | undefined;
  #beginLine: xterm.IMarker | undefined;
  #commandText: string | null = null;
  #resizes = 0;
  /** Rows of the last command, if it was entered in several rows. */
  commandRows: readonly string[] | null = null;

  constructor(terminal: xterm.Terminal) {
    this.#terminal = terminal;
  }

  /** The end of the prompt, unless it is unknown or the screen was resized since. */
  get promptEnd(): ScreenMark | undefined {
    return this.#promptEnd?.resizes === this.#resizes ? this.#promptEnd : undefined;
  }

  /** Call this on a resize: the cells after the prompt's end are no longer exact. */
  resized(): void {
    this.#resizes += 1;
  }

  /** Notes that the shell's cycle has reached `kind`. */
  note(kind: 'promptStart' | 'promptEnd' | 'begin'): void {
    if (kind === 'promptStart') {
      this.#promptLine = this.#replaceMarker(this.#promptLine);
      this.#beginLine?.dispose();
      if (this.#isEndAssumed) this.dropPromptEnd(); // the assumed end is that of the earlier prompt: this shell does not report the new one's
    } else if (kind === 'begin') {
      this.#beginLine = this.#replaceMarker(this.#beginLine);
      this.#commandText = this.#readCommand(true);
      this.commandRows = this.#readRows();
      this.dropPromptEnd();
    } else {
      this.dropPromptEnd();
      this.#commandText = null;
      const marker = this.#terminal.registerMarker(0);
      if (!marker) return; // the alternate buffer has no markers
      this.#promptEnd = { marker, col: this.#terminal.buffer.active.cursorX, resizes: this.#resizes };
    }
  }

  /** Forgets where the prompt ended, when a mark came too late to have a position. */
  lose(): void {
    this.dropPromptEnd();
    this.#commandText = null;
    this.commandRows = null;
  }

  /** Assumes that the prompt ends at the cursor, if its end is unknown. */
  assumeEnd(): void {
    if (this.promptEnd && !this.promptEnd.marker.isDisposed) return;
    this.note('promptEnd');
    this.#isEndAssumed = true;
  }

  /** Lines of the normal buffer, scrollback included, at which the current prompt and the running command's output start. */
  lines(): StateLines {
    return { beginLine: lineOf(this.#beginLine), promptLine: lineOf(this.#promptLine) };
  }

  /** The text typed at the prompt, or null if the cells do not show it exactly. Until the next prompt, the last command's text. */
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
