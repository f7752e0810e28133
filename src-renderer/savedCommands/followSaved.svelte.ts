import type { AppState } from '../app/AppState.svelte.ts';
import { registerSavedCommands } from './savedActions.ts';

/** Keeps the saved commands and their actions as they are on disk. Call during component initialization. */
export function followSaved(app: AppState): void {
  const { saved, terminals } = app;
  /** Another folder may belong to another project. */
  const place = $derived(`${terminals.activeId} ${terminals.active?.view.cwd}`);
  const read = () => {
    saved.load().catch(() => undefined); // the sheet reads them again, and says why it cannot
  };

  $effect(() => {
    void place;
    if (terminals.isKnown) read();
  });
  $effect(() => registerSavedCommands(app));
  $effect(() => {
    // The command line and editors write to the list while the window has not the focus.
    addEventListener('focus', read);
    return () => removeEventListener('focus', read);
  });
}
