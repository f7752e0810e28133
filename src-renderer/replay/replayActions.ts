import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import type { Stop } from '../rpc/Rpc.ts';

export function registerReplayActions({ palette, replays, terminals }: AppState): Stop {
  return palette.register({
    id: 'replay.terminal',
    title: strings.replay.actions.terminal,
    group: strings.app.groups.view,
    keys: 'Alt+Shift+R',
    when: () => terminals.active !== undefined,
    run: () => {
      if (terminals.activeId !== null) replays.open({ id: terminals.activeId });
    },
  });
}
