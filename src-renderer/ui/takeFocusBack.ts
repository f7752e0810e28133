/** Runs after a closing sheet has given the focus back to what had it before: bits-ui does that in the next frame's tasks. */
export function takeFocusBack(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run, 0));
}
