import { registerAgentActions } from '../agents/agentActions.ts';
import { registerStartActions } from '../agents/start/startActions.ts';
import { registerAuditActions } from '../audit/auditActions.ts';
import { registerChangesActions } from '../changes/changesActions.ts';
import { registerConversationActions } from '../conversation/conversationActions.ts';
import { registerHistoryActions } from '../history/historyActions.ts';
import { registerMachineActions } from '../machines/machineActions.ts';
import { registerReplayActions } from '../replay/replayActions.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { registerSavedActions } from '../savedCommands/savedActions.ts';
import type { AppState } from './AppState.svelte.ts';
import { registerFrameActions } from './frameActions.ts';

/** Registers the permanent actions; tabs and conversations register their own while they are shown. */
export function registerActions(app: AppState): Stop {
  const stops = [
    registerAgentActions,
    registerStartActions,
    registerHistoryActions,
    registerFrameActions,
    registerConversationActions,
    registerChangesActions,
    registerAuditActions,
    registerReplayActions,
    registerSavedActions,
    registerMachineActions,
  ].map((register) => register(app));
  return () => {
    for (const stop of stops) stop();
  };
}
