import type { AppState } from '../app/AppState.svelte.ts';

/** A terminal as its tab has it; one in no tab as its record does, and one of which there is no record by its id. */
export function terminalName({ terminals, audit }: AppState, id: string): string {
  return terminals.byId(id)?.label ?? audit.titles[id] ?? id;
}
