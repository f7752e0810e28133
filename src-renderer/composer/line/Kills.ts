import { type ComposerCommand, type EditorView, killed, lineEdit } from './composerKeys.ts';

/** Commands that cut text after the caret; the others cut text before it. */
const FORWARD: ReadonlySet<ComposerCommand> = new Set(['killToEnd', 'killWordRight']);

/** Text cut by keys, which Ctrl+Y inserts. As in bash and zsh, consecutive cuts are one text, in the order of the line. */
export class Kills {
  text = '';
  /** The line after the last cut. */
  #left: { text: string; caret: number } | undefined;

  /** Call before a command changes the line. A command that cuts nothing is ignored. */
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
