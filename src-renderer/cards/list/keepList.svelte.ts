import type { AppState } from '../../app/AppState.svelte.ts';
import { BlockList } from './BlockList.svelte.ts';
import { LastShown } from './LastShown.ts';

/** Most terminals whose cards are kept while no pane shows them. */
const MOST_KEPT = 12;

const windows = new WeakMap<AppState, LastShown<BlockList>>();

/**
 * The cards of a terminal as this window last showed them, or an empty list. A tab that is shown again has its cards at once, and what changed
 * meanwhile once the core has answered. The pane calls `release` at its end.
 */
export function keepList(app: AppState, terminalId: string): { value: BlockList; release(): void } {
  const lists = windows.get(app) ?? new LastShown((id) => create(app, id), MOST_KEPT);
  windows.set(app, lists);
  const kept = lists.take(terminalId);
  kept.value.cursorId = null;
  return kept;
}

/** In a root of its own, because what is derived in a component ends with it. */
function create(app: AppState, terminalId: string): { value: BlockList; dispose(): void } {
  const made: { list?: BlockList } = {};
  const dispose = $effect.root(() => {
    made.list = new BlockList(terminalId, app.rpc, Object.keys(app.workspace.folded));
  });
  return { value: made.list as BlockList, dispose };
}
