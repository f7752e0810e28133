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
