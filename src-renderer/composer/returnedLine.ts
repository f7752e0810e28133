import type { AppState } from '../app/AppState.svelte.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import type { TextRange } from './editor/LineEditor.ts';

/** A line that could not be sent, as long as the person has not touched it in the composer. */
export interface ReturnedLine {
  readonly text: string;
  /** All of it is selected, so typing replaces it. With Vim keys a selection is a mode of its own, and the caret is at the end. */
  readonly isSelected: boolean;
}

/**
 * Returns a line that could not be sent. A person who has typed on since keeps writing that line: the returned one and other whole lines are held
 * beside the composer. Otherwise it is in the composer, selected: Return sends it again, an arrow continues it, and typing begins another line.
 */
export function giveBack(app: AppState, terminal: TerminalState, line: string, ahead: readonly string[]): void {
  const typed = terminal.draft + (ahead.at(-1) ?? '');
  if (typed !== '' || ahead.length > 1) {
    terminal.held = [...terminal.held, line, ...ahead.slice(0, -1)].filter(Boolean);
    terminal.draft = typed;
    return void app.focus.toComposer(terminal.id);
  }
  terminal.draft = line;
  app.focus.toComposer(terminal.id);
  const isSelected = app.focus.selectLine(terminal.id, line);
  terminal.returned = line === '' ? null : { text: line, isSelected };
}

/** The line that the person types with `text`: a returned one that it would be joined to, or that it replaces, is held beside it. */
export function withoutReturned(terminal: TerminalState, text: string): string {
  const { returned, draft } = terminal;
  terminal.returned = null;
  if (returned === null || draft !== returned.text || text === '') return text; // an empty line was deleted on purpose
  const isJoined = text.startsWith(returned.text);
  if (!isJoined && !returned.isSelected) return text;
  terminal.held = [...terminal.held, returned.text];
  return isJoined ? text.slice(returned.text.length) : text;
}

/** Call when the caret moved: a returned line that the person goes into is theirs again. */
export function touchReturned(terminal: TerminalState, { text, start, end }: TextRange): void {
  const { returned } = terminal;
  if (returned && (end !== text.length || start !== (returned.isSelected ? 0 : end))) terminal.returned = null;
}
