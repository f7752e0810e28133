import type { AppState } from '../app/AppState.svelte.ts';
import { isForProgram } from '../composer/routeKeys.svelte.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import type { RowKey } from './rowKeys.ts';

/** Where the keys of a terminal go: its program, or its composer. */
function fieldOf(app: AppState, terminal: TerminalState): HTMLElement | null {
  const zone = isForProgram(app, terminal)
    ? '[data-keys="program"] textarea'
    : '[data-keys="line"] :is(.cm-content, textarea)';
  return document.querySelector<HTMLElement>(`[data-pane-of="${CSS.escape(terminal.id)}"] ${zone}`);
}

/**
 * Presses a key for the program or the composer of this terminal, without moving the focus, which would open the keyboard of the screen.
 * An emulator and an editor read the same event as from a keyboard, so what a key means is decided in one place.
 */
export function pressKey(
  app: AppState,
  terminal: TerminalState,
  { key, isCtrl }: { key: RowKey; isCtrl: boolean },
): void {
  const field = fieldOf(app, terminal);
  const options = { ...key, ctrlKey: isCtrl, bubbles: true, cancelable: true };
  field?.dispatchEvent(new KeyboardEvent('keydown', options));
  field?.dispatchEvent(new KeyboardEvent('keyup', options));
}

/** Types a character where `pressKey` presses keys. */
export function typeCharacter(app: AppState, terminal: TerminalState, character: string): void {
  if (isForProgram(app, terminal)) app.focus.typeInto(terminal.id, character);
  else app.focus.insertIntoPrompt(terminal.id, character);
}
