import { PAST_ID } from '../../src-main/contract/pastId.ts';
import type { SearchHit } from '../../src-main/contract/search.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { openChatMessage } from '../conversation/openChatMessage.ts';
import { untilFrame } from '../terminal/nextFrame.ts';

/** Shows a hit in its tab, which is reopened if it was closed. Throws if its terminal cannot be opened. */
export async function openHit(app: AppState, hit: SearchHit): Promise<void> {
  const { terminalId, id } = hit;
  if (terminalId === PAST_ID && hit.type === 'message') return app.agents.past.show(`${PAST_ID}/${hit.conversationId}`);
  if (hit.type === 'block') return openBlock(app, { terminalId, blockId: id, n: hit.lines[0]?.n ?? null });
  await openTerminal(app, terminalId);
  openChatMessage(app, { terminalId, conversationId: hit.conversationId, messageId: id });
}

/** Shows a terminal in its tab. Throws when it cannot be opened. */
export async function openTerminal({ terminals, rpc }: AppState, id: string): Promise<void> {
  if (!terminals.byId(id)) terminals.apply({ type: 'changed', terminal: await rpc.recording.open({ id }) });
  await terminals.activate(id);
}

/** Shows a card, with line `n` of its output in view. Throws when its terminal cannot be opened. */
export async function openBlock(
  app: AppState,
  { terminalId, blockId, n }: { terminalId: string; blockId: string; n: number | null },
): Promise<void> {
  await openTerminal(app, terminalId);
  const terminal = app.terminals.byId(terminalId);
  if (terminal?.mode === 'terminal' && !terminal.view.altScreen) terminal.mode = 'blocks'; // a plain terminal has no cards
  await untilFrame(() => app.focus.hasSurface(terminalId));
  app.focus.toLine(terminalId, { blockId, n });
}
