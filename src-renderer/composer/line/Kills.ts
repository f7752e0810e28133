import { type ComposerCommand, type EditorView, killed, lineEdit } from './composerKeys.ts';

/** Commands that take what is behind the caret; the others take what is before it. */
const FORWARD: ReadonlySet<ComposerCommand> = new Set(['killToEnd', 'killWordRight']);

/** What keys cut, which Ctrl+Y brings back. As in bash and zsh, cuts one after the other are one text, in the order of the line. */
export class Kills {
  text = '';
  /** The line as the last cut left it. */
  #left: { text: string; caret: number } | undefined;

  /** A command is about to change the line; one that cuts nothing is passed over. */
  take(command: ComposerCommand, line: EditorView): void {
    const cut = killed(command, line);
    const edit = cut === '' ? undefined : lineEdit(command, line);
    if (!edit) return;
    const goesOn = line.start === line.end && line.start === this.#left?.caret && line.text === this.#left.text;
    if (!goesOn) this.text = cut;
    else this.text = FORWARD.has(command) ? this.text + cut : cut + this.text;
    this.#left = { text: line.text.slice(0, edit.from) + line.text.slice(edit.to), caret: edit.from };
  }
}
