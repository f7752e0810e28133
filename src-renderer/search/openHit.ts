import type { SearchHit } from '../../src-main/contract/search.ts';
import type { AppState } from '../state/AppState.svelte.ts';
import { openChatMessage } from '../state/openChatMessage.ts';

/** A tab is drawn within a few frames; a machine that is busy may need more. */
const MAX_FRAMES = 200;

/** Shows where a hit stands: in its tab, which is opened again if it was closed. Throws when its terminal cannot be opened. */
export async function openHit(app: AppState, hit: SearchHit): Promise<void> {
  const { terminals, rpc } = app;
  const { terminalId: id } = hit;
  if (!terminals.byId(id)) terminals.apply({ type: 'changed', terminal: await rpc.recording.open({ id }) });
  await terminals.activate(id);
  if (hit.type === 'message') {
    openChatMessage(app, { terminalId: id, conversationId: hit.conversationId, messageId: hit.id });
    return;
  }
  const terminal = terminals.byId(id);
  if (terminal?.mode === 'terminal' && !terminal.view.altScreen) terminal.mode = 'blocks'; // a plain terminal has no cards
  await untilDrawn(app, id);
  app.focus.toLine(id, { blockId: hit.id, n: hit.lines[0]?.n ?? null });
}

async function untilDrawn({ focus }: AppState, id: string): Promise<void> {
  for (let frame = 0; frame < MAX_FRAMES && !focus.hasSurface(id); frame++)
    await new Promise((resolve) => requestAnimationFrame(resolve));
}
