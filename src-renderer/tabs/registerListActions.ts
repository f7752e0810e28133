import type { AppState } from '../app/AppState.svelte.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { followDrops } from '../windows/dropOutside.ts';
import { registerWindowActions } from '../windows/windowActions.ts';
import { registerNewAgentAction } from './newAgent.ts';
import { registerRecordingActions } from './recordingActions.ts';
import { type Renaming, registerTabActions } from './tabActions.ts';

/** Registers all actions on tabs. `renaming` gets the id of the tab whose name is edited. */
export function registerListActions(app: AppState, renaming: Renaming): Stop {
  const others = [registerRecordingActions, registerNewAgentAction, registerWindowActions, followDrops];
  const stops = [registerTabActions(app, renaming), ...others.map((register) => register(app))];
  return () => {
    for (const stop of stops) stop();
  };
}
