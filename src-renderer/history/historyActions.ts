import type { PastRow } from '../../src-main/contract/past.ts';
import { PAST_ID } from '../../src-main/contract/pastId.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { openChatMessage } from '../conversation/openChatMessage.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { openTerminal } from '../search/openHit.ts';
import { saveFile } from '../ui/browser/saveFile.ts';
import { closePage } from '../ui/takeFocusBack.ts';

export function registerHistoryActions(app: AppState): Stop {
  const { agents, palette } = app;
  const { past } = agents;
  const stops = [
    past.start(),
    palette.register(
      {
        id: 'history.open',
        title: strings.history.action,
        group: strings.app.groups.view,
        keys: 'Mod+Shift+Y',
        run: () => (past.isOpen ? closeHistory(app) : openHistory(app)),
      },
      {
        id: 'history.import',
        title: strings.history.importAction,
        group: strings.app.groups.view,
        run: () => importPast(app),
      },
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Opens History and closes other pages, because only one page covers the terminals at a time. */
export function openHistory({ agents }: AppState): void {
  if (agents.isOpen) agents.close();
  agents.past.open();
}

export function closeHistory(app: AppState): void {
  closePage(app, () => app.agents.past.close());
}

export async function importPast({ agents, notices }: AppState): Promise<void> {
  try {
    const { conversations } = await agents.past.rpc.import();
    notices.say(conversations > 0 ? strings.history.imported(conversations) : strings.history.upToDate);
  } catch (error) {
    notices.fail(strings.history.importFailed, error);
  }
}

/** Answers the offer to import. */
export async function answerOffer({ agents, notices }: AppState, isWanted: boolean): Promise<void> {
  try {
    await agents.past.rpc.answer({ isWanted });
    const { last } = agents.past.status;
    if (isWanted && last) notices.say(strings.history.imported(last.conversations));
  } catch (error) {
    notices.fail(strings.history.importFailed, error);
  }
}

/** Continues a conversation in a new tab. If that fails, the page stays open and says why. */
export async function continueRow(app: AppState, { key }: PastRow): Promise<void> {
  const { agents, notices, terminals } = app;
  try {
    await terminals.show(async () => agents.past.rpc.continue({ key, ...(await terminals.sizeOfNew()) }));
    closeHistory(app);
  } catch (error) {
    notices.fail(strings.history.couldNotContinue, error);
  }
}

/** Shows a recorded conversation in its terminal, at the first message that the page shows. */
export async function openRow(app: AppState, { terminalId, conversationId }: PastRow): Promise<void> {
  if (terminalId === PAST_ID) return;
  const messageId = app.agents.past.messages[0]?.id ?? '';
  closeHistory(app);
  await openTerminal(app, terminalId);
  openChatMessage(app, { terminalId, conversationId, messageId });
}

export async function exportRow({ agents, notices }: AppState, row: PastRow): Promise<void> {
  const { terminalId, conversationId } = row;
  try {
    const wish = { terminalId, conversationId, format: 'md', redact: true } as const;
    const { fileName, text, redacted } = await agents.past.rpc.export(wish);
    saveFile(fileName, new Blob([text], { type: 'application/octet-stream' }));
    const { redacted: said, saved } = strings.history;
    notices.say(redacted > 0 ? said(fileName, redacted) : saved(fileName));
  } catch (error) {
    notices.fail(strings.history.couldNotExport, error);
  }
}
