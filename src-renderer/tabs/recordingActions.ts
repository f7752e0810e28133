import type { RecordedTerminal } from '../../src-main/contract/api.ts';
import type { Action, AppState } from '../app/AppState.svelte.ts';
import { formatFullTime } from '../app/clock.svelte.ts';
import { strings } from '../app/strings.ts';
import { saveCast } from '../cards/card/saveCast.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { savePicture } from './savePicture.ts';
import { guard } from './tabActions.ts';

/** Heading of the recordings to choose from; shown only during that choice. */
const CHOICE = strings.app.groups.openRecording;

/** Registers actions for terminals without a tab, and for saving the shown one. */
export function registerRecordingActions(app: AppState): Stop {
  let stopChoices: Stop = () => undefined;
  const choose = async (): Promise<void> => {
    const recorded = await app.rpc.recording.list();
    if (recorded.length === 0) return app.notices.say(strings.tabs.allOpen);
    stopChoices();
    stopChoices = app.palette.register(...recorded.map((one) => choiceOf(app, one)));
    app.palette.choose(CHOICE);
  };
  const stop = app.palette.register(
    {
      id: 'recording.open',
      title: strings.tabs.actions.openRecording,
      group: strings.app.groups.tabs,
      run: () => guard(app, choose()),
    },
    {
      id: 'tab.reopen',
      title: strings.tabs.actions.reopen,
      group: strings.app.groups.tabs,
      keys: 'Mod+Alt+T Mod+Alt+Shift+T',
      opensTab: true,
      run: () => guard(app, reopen(app)),
    },
    {
      id: 'tab.export',
      title: strings.tabs.actions.exportCast,
      group: strings.app.groups.tabs,
      when: () => app.terminals.active !== undefined,
      run: () => {
        const { activeId } = app.terminals;
        if (activeId !== null) guard(app, saveCast(app, { id: activeId }));
      },
    },
    pictureAction(app, 'png'),
    pictureAction(app, 'svg'),
  );
  return () => {
    stopChoices();
    stop();
  };
}

function pictureAction(app: AppState, format: 'png' | 'svg'): Action {
  return {
    id: `screen.${format}`,
    title: strings.tabs.actions.saveScreen(format.toUpperCase()),
    group: strings.app.groups.view,
    when: () => app.terminals.active !== undefined,
    run: () => {
      const { activeId } = app.terminals;
      if (activeId !== null) guard(app, savePicture(app, { id: activeId, format }));
    },
  };
}

function choiceOf(app: AppState, { id, name, shell, cwd, createdMs }: RecordedTerminal): Action {
  const when = formatFullTime(createdMs);
  return {
    id: `recording.open.${id}`,
    title: `${name ?? strings.tabs.shellIn(shell, cwd)} · ${when}`,
    group: CHOICE,
    opensTab: true,
    when: () => app.palette.choice === CHOICE,
    run: () => guard(app, open(app, id)),
  };
}

/**
 * Reopens the last tab closed in this window; after a reload, the terminal used last. It gets a new shell in its folder. A terminal that fails to
 * open, for example because it was removed, is not tried again.
 */
async function reopen(app: AppState): Promise<void> {
  const newest = async () => (await app.rpc.recording.list()).find(({ origin }) => origin === null)?.id;
  const id = app.terminals.takeLastClosed() ?? (await newest());
  if (id === undefined) return app.notices.say(strings.tabs.noneClosed);
  await open(app, id);
}

async function open(app: AppState, id: string): Promise<void> {
  await app.terminals.show(() => app.rpc.recording.open({ id }));
}
