import type { AppState } from '../app/AppState.svelte.ts';

/** Name of a terminal: of its tab, else of its record, else its id. */
export function terminalName({ terminals, audit }: AppState, id: string): string {
  return terminals.byId(id)?.label ?? audit.titles[id] ?? id;
}
