import type { Action } from '../app/Actions.svelte.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { guard } from '../tabs/tabActions.ts';
import { fitsShell, type ListedCommand } from './matchSaved.ts';
import { escapeTemplate, fillCommand } from './placeholders.ts';

/** More are found by their own search: each row of the palette costs time at every key. */
const MAX_IN_PALETTE = 200;

export function registerSavedActions(app: AppState): Stop {
  return app.palette.register(
    {
      id: 'saved.open',
      title: strings.saved.actions.open,
      group: strings.app.groups.prompt,
      keys: 'Mod+Shift+;',
      run: () => app.saved.open(),
    },
    {
      id: 'saved.new',
      title: strings.saved.actions.fromComposer,
      group: strings.app.groups.prompt,
      when: () => (app.terminals.active?.draft ?? '').trim() !== '',
      run: () => saveText(app, app.terminals.active?.draft ?? ''),
    },
  );
}

/** The saved commands themselves, as they are now. */
export function registerSavedCommands(app: AppState): Stop {
  return app.palette.register(
    ...app.saved.all.slice(0, MAX_IN_PALETTE).map(
      (command): Action => ({
        id: `saved.use.${command.from}.${command.name}`,
        title: command.name,
        group: command.from === 'own' ? strings.saved.title : strings.saved.ofProject,
        when: () => canUse(app, command),
        run: () => useSaved(app, command),
      }),
    ),
  );
}

/** Opens the form with a text, which comes back exactly so when it is used. */
export function saveText(app: AppState, text: string): void {
  app.saved.open({ command: { name: '', command: escapeTemplate(text) }, replaces: null });
}

export function canUse(app: AppState, command: ListedCommand): boolean {
  const { active } = app.terminals;
  return active?.view.state === 'live' && fitsShell(command, active.view.shell);
}

/** Puts the command into the composer of the active tab, or into the shell's own line. Nothing runs. */
export function useSaved(app: AppState, command: ListedCommand): void {
  const id = app.terminals.activeId;
  if (id === null) return;
  const filled = fillCommand(command);
  if (!app.focus.fillPrompt(id, filled)) guard(app, app.paste.into(id, filled.text));
}

/** Asks whether the project's list may be used: by path and content, of which nothing is shown before. */
export async function askTrust(app: AppState): Promise<void> {
  const { project } = app.saved.list;
  if (project?.state !== 'untrusted') return;
  const { path, sha256, bytes, changed } = project;
  const ask = strings.saved.trust;
  const yes = await app.dialogs.ask({
    title: changed ? ask.changed : ask.title,
    body: ask.body,
    exact: ask.file(path, bytes, sha256),
    confirm: ask.confirm,
    isDangerous: true,
  });
  if (!yes) return;
  const isTrusted = await app.saved.trust({ path, sha256 });
  app.notices.say(isTrusted ? ask.done : ask.changedMeanwhile);
}
