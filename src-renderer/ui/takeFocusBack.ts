import { flushSync } from 'svelte';
import type { AppState } from '../app/AppState.svelte.ts';
import { settleKeys } from '../composer/routeKeys.svelte.ts';

/** Runs after a closing sheet has returned the focus: bits-ui does that in a task of the next frame. */
export function takeFocusBack(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run, 0));
}

/** Handles a menu's `onCloseAutoFocus`, so that a field that the chosen item opened keeps the focus. `run` is as in `takeFocusBack`. */
export function closeMenu(event: Event, run: () => void): void {
  const focused = document.activeElement;
  if (focused?.matches('input, textarea') && !focused.closest('[role="menu"]')) event.preventDefault();
  takeFocusBack(run);
}

/**
 * Closes a page that covers the terminals, and returns the focus to the terminal, whose part of the window is inert until the page is gone. `then` runs
 * after that.
 */
export function closePage(app: AppState, close: () => void, then?: () => void): void {
  takeFocusBack(() => {
    flushSync(close);
    settleKeys(app);
    then?.();
  });
}
