import type { AppState } from '../../app/AppState.svelte.ts';
import { BlockList } from './BlockList.svelte.ts';

/** Most terminals whose cards are kept while another tab is shown. */
const MOST_KEPT = 12;

interface Kept {
  list: BlockList;
  dispose(): void;
}

/** By window, then by terminal, the one that was shown last at the end. */
const windows = new WeakMap<AppState, Map<string, Kept>>();

/**
 * The cards of a terminal as this window last showed them, or an empty list. A tab that is shown again has its cards at once, and what changed
 * meanwhile once the core has answered.
 */
export function keepList(app: AppState, terminalId: string): BlockList {
  const all = windows.get(app) ?? new Map<string, Kept>();
  windows.set(app, all);
  const kept = all.get(terminalId) ?? create(app, terminalId);
  all.delete(terminalId); // added again below: the map's order is the order of use
  all.set(terminalId, kept);
  const [oldest] = all;
  if (all.size > MOST_KEPT && oldest) {
    all.delete(oldest[0]);
    oldest[1].dispose();
  }
  kept.list.cursorId = null;
  return kept.list;
}

/** In a root of its own, because what is derived in a component ends with it. */
function create(app: AppState, terminalId: string): Kept {
  const made: { list?: BlockList } = {};
  const dispose = $effect.root(() => {
    made.list = new BlockList(terminalId, app.rpc, Object.keys(app.workspace.folded));
  });
  return { list: made.list as BlockList, dispose };
}
