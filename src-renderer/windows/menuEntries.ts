import type { MenuEntry } from '../../src-main/contract/window/desktop.ts';
import type { Action, Actions } from '../app/Actions.svelte.ts';
import { formatChord, isTyping, type Platform, parseChords } from '../app/chord.ts';
import { strings } from '../app/strings.ts';

const { groups } = strings.app;
/** Headings of choices: they exist only while the palette asks. */
const CHOICES: ReadonlySet<string> = new Set([
  groups.joinTab,
  groups.openRecording,
  groups.newAgent,
  groups.moveToWindow,
]);
/** The menu for each heading of actions. */
const MENU_OF: Readonly<Record<string, MenuEntry['menu']>> = {
  [groups.window]: 'file',
  [groups.view]: 'view',
  [groups.conversation]: 'view',
  [groups.tabs]: 'terminal',
  [groups.panes]: 'terminal',
  [groups.prompt]: 'edit',
  [groups.card]: 'terminal',
};
/** By the beginning of the id, where the heading says too little. The first that fits counts. */
const EXCEPTIONS: readonly (readonly [RegExp, MenuEntry['menu']])[] = [
  [/^(tab\.(new|close$|export$|to)|machine\.|recording\.|screen\.)/, 'file'],
  [/^tab\.(\d|next|previous|nextWaiting)/, 'window'],
  [/^(pane\.focus|pane\.toTab|pane\.joinTab)/, 'window'],
  [/^(palette\.|app\.update)/, 'help'],
  [/^search\./, 'edit'],
];

/** The actions of the palette as the menu bar of the desktop app has them, with the same titles, keys and sense. */
export function menuEntries(actions: Actions, textOf: (action: Action) => string, platform: Platform): MenuEntry[] {
  return actions.all
    .filter(({ group }) => !CHOICES.has(group))
    .map((action) => ({
      id: action.id,
      title: action.title,
      menu: menuOf(action),
      keys: keysOf(textOf(action), platform),
      isEnabled: action.when?.() ?? true,
    }));
}

function menuOf({ id, group }: Action): MenuEntry['menu'] {
  return EXCEPTIONS.find(([pattern]) => pattern.test(id))?.[1] ?? MENU_OF[group] ?? 'terminal';
}

/** The first chord with a modifier: a single letter works in card mode alone. */
function keysOf(text: string, platform: Platform): string {
  const chord = parseChords(text, platform).find((each) => !isTyping(each));
  return chord ? formatChord(chord) : '';
}
