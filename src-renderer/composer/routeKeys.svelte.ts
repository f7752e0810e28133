import { untrack } from 'svelte';
import { type Action, concernsTabs } from '../app/Actions.svelte.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import { isFloatOpen } from '../ui/floating.ts';
import { isCoarse } from '../ui/touch/pointer.ts';
import { type KeysEvent, nextKeysTo, SETTLE_MS } from './keysTo.ts';
import { dropFocus, isIdleFocus, isNowhere } from './takeTyping.ts';

/**
 * Follows a shown terminal and, while it is the active one, sends the keyboard where it belongs. Call it while a component is being made; it moves
 * the focus only when that is in the composer, in the live terminal or nowhere, never out of a card, a menu or a dialog.
 */
export function routeKeys(app: AppState, active: () => TerminalState | undefined): void {
  // Derived, so that a change of title or folder does not take back what the person chose.
  const terminal = $derived(active());
  const isLive = $derived(terminal !== undefined && (terminal.isRunning || terminal.view.quality.level === 'none'));
  const isFullScreen = $derived(terminal?.view.altScreen ?? false);
  const isComposing = $derived(terminal !== undefined && usesComposer(app, terminal));

  $effect(() => {
    const shown = terminal;
    if (!shown || shown.isSettled === isLive) return;
    const settle = (event: KeysEvent) => {
      shown.isSettled = event === 'settled';
      turn(shown, event);
    };
    if (!isLive) return untrack(() => settle('ended'));
    const timer = setTimeout(() => settle('settled'), SETTLE_MS);
    return () => clearTimeout(timer);
  });
  $effect(() => {
    const shown = terminal;
    if (!isFullScreen || !shown) return;
    shown.isSettled = true; // it may be over before it has settled, and its end is news all the same
    untrack(() => turn(shown, 'screen'));
  });
  $effect(() => {
    if (!terminal || app.terminals.activeId !== terminal.id) return;
    // Also when the composer or the live terminal comes into being: then it can take the focus.
    void [
      terminal.keysTo,
      terminal.ahead.isOn,
      isComposing,
      app.focus.hasSurface(terminal.id),
      app.focus.hasComposer(terminal.id),
    ];
    const shown = terminal;
    const frame = requestAnimationFrame(() => giveFocus(app, shown));
    return () => cancelAnimationFrame(frame);
  });
}

/** The person's own key. */
export function toggleKeys(app: AppState, terminal: TerminalState): void {
  turn(terminal, 'toggle');
  giveFocus(app, terminal, true);
}

/** After the person chose another view: the keyboard goes with it, wherever it was. */
export function followView(app: AppState, terminal: TerminalState): void {
  requestAnimationFrame(() => giveFocus(app, terminal, !isCoarse()));
}

/** Gives the keyboard to where the shown tab's commands are written, or to its program. */
export function takeKeysBack(app: AppState): void {
  const page = [app.agents, app.agents.past].find(({ isOpen }) => isOpen);
  if (page) return void page.takeKeys();
  const terminal = app.terminals.active;
  if (terminal?.view.state === 'live') giveFocus(app, terminal, true);
}

/** The keyboard stays in what an action opened; what is done to tabs takes it out of cards and messages, too. */
export function performAction(app: AppState, action: Action): void {
  if (concernsTabs(action)) {
    dropFocus();
    app.agents.close();
  }
  action.run();
  requestAnimationFrame(() => settleKeys(app));
}

/** After a menu, a sheet or an action: the keyboard stays in what that opened, or in the place with keys of its own that it came from. */
export function settleKeys(app: AppState): void {
  if (isIdleFocus() && !isFloatOpen() && !isCoarse()) takeKeysBack(app);
}

function turn(terminal: TerminalState, event: KeysEvent): void {
  terminal.keysTo = nextKeysTo(terminal.keysTo, event, terminal.draft !== '');
}

function giveFocus(app: AppState, terminal: TerminalState, isAsked = false): void {
  if (!isAsked && !isFree(document.activeElement)) return;
  // The keys are for another tab already, which takes them from where nothing is edited.
  if (app.terminals.next.isExpected) return isAsked ? dropFocus() : undefined;
  if (isForProgram(app, terminal)) app.focus.toSurface(terminal.id);
  else app.focus.toComposer(terminal.id);
}

/** Whether a key goes to the live terminal, at once or when it is known whose it is. */
export function isForProgram(app: AppState, terminal: TerminalState): boolean {
  return terminal.ahead.isOn || terminal.keysTo === 'program' || !usesComposer(app, terminal);
}

/** Whether commands are written in the composer here, and not at the shell's own prompt. */
export function usesComposer(app: AppState, { mode }: TerminalState): boolean {
  return mode === 'blocks' && app.settings.current['prompt.mode'] === 'composer';
}

/** A finger opens the keyboard of the screen where it wants it: it is handed on, and not opened. */
function isFree(element: Element | null): boolean {
  return (isNowhere(element) && !isCoarse()) || element?.closest('[data-keys="program"], [data-keys="line"]') !== null;
}
