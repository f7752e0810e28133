import { untrack } from 'svelte';
import type { AppState } from '../state/AppState.svelte.ts';
import type { TerminalState } from '../state/TerminalState.svelte.ts';
import { type KeysEvent, nextKeysTo, SETTLE_MS } from './keysTo.ts';

/**
 * Follows the shown terminal and sends the keyboard where it belongs. Call it while a component is being made; it moves
 * the focus only when that is in the composer, in the live terminal or nowhere, never out of a card, a menu or a dialog.
 */
export function routeKeys(app: AppState, active: () => TerminalState | undefined): void {
  $effect(() => {
    const terminal = active();
    if (!terminal) return;
    const isLive = terminal.isRunning || terminal.view.quality.level === 'none';
    if (!isLive) return untrack(() => turn(terminal, 'ended'));
    const timer = setTimeout(() => turn(terminal, 'settled'), SETTLE_MS);
    return () => clearTimeout(timer);
  });
  $effect(() => {
    const terminal = active();
    if (terminal?.view.altScreen) untrack(() => turn(terminal, 'screen'));
  });
  $effect(() => {
    const terminal = active();
    if (!terminal) return;
    // Also when the box or the surface appears or the view changes: each asks for the focus anew.
    void [terminal.mode, app.settings.current['prompt.mode'], terminal.view.state];
    void terminal.keysTo;
    const frame = requestAnimationFrame(() => giveFocus(app, terminal));
    return () => cancelAnimationFrame(frame);
  });
}

/** The person's own key. */
export function toggleKeys(app: AppState, terminal: TerminalState): void {
  turn(terminal, 'toggle');
  giveFocus(app, terminal, true);
}

function turn(terminal: TerminalState, event: KeysEvent): void {
  terminal.keysTo = nextKeysTo(terminal.keysTo, event, terminal.draft !== '');
}

function giveFocus(app: AppState, terminal: TerminalState, isAsked = false): void {
  if (!isAsked && !isFree(document.activeElement)) return;
  const isSurface = terminal.keysTo === 'program' || !usesComposer(app, terminal);
  if (isSurface) app.focus.toSurface(terminal.id);
  else app.focus.toComposer(terminal.id);
}

/** Whether commands are written in the composer here, and not at the shell's own prompt. */
export function usesComposer(app: AppState, { mode }: TerminalState): boolean {
  return mode === 'blocks' && app.settings.current['prompt.mode'] === 'composer';
}

function isFree(element: Element | null): boolean {
  if (!element || element === document.body) return true;
  return element.closest('[data-keys="program"], [data-keys="line"]') !== null;
}
