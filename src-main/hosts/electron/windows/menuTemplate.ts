import type { MenuItemConstructorOptions } from 'electron';
import type { MenuEntry } from '../../../contract/window/desktop.ts';

export interface MenuDeps {
  hasDevTools: boolean;
  /** The actions of the window in front, as its palette has them. */
  entries: readonly MenuEntry[];
  newWindow(): void;
  /** Runs the action of that id in the window in front. */
  run(id: string): void;
}

/** Valid accelerators; Electron throws for any other text. */
const ACCELERATOR =
  /^(?:(?:Ctrl|Alt|Shift|Cmd|Super)\+)*(?:[A-Z0-9]|F\d{1,2}|Up|Down|Left|Right|Home|End|PageUp|PageDown|Return|Enter|Esc|Tab|Space|Backspace|Delete|Plus|[-=[\]\\;',./`])$/i;

/**
 * The menu bar, from the page's own actions. Copy, paste, hide and quit are Electron's, since macOS takes them from there alone. Keys are
 * shown and not taken (`registerAccelerator`): the page knows which of them belong to a program. Close and reload of a browser are left out.
 */
export function menuTemplate(platform: NodeJS.Platform, deps: MenuDeps): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const own = (menu: MenuEntry['menu']): MenuItemConstructorOptions[] =>
    deps.entries.filter((entry) => entry.menu === menu).map((entry) => item(entry, deps.run));
  const hasNew = deps.entries.some(({ id }) => id === 'window.new');
  const newWindow = { label: 'New window', accelerator: 'CmdOrCtrl+Shift+N', click: deps.newWindow };
  return [
    ...(isMac ? [APP_MENU] : []),
    {
      label: 'File',
      submenu: [
        ...(hasNew ? [] : [newWindow]),
        ...own('file'),
        ...(isMac ? [] : [SEPARATOR, { role: 'quit' as const }]),
      ],
    },
    { role: 'editMenu', label: 'Edit', submenu: [...EDITING, ...ruled(own('edit'))] },
    { label: 'View', submenu: [...own('view'), SEPARATOR, { role: 'togglefullscreen' }] },
    { label: 'Terminal', submenu: own('terminal') },
    {
      role: 'windowMenu',
      label: 'Window',
      submenu: [
        { role: 'minimize' },
        ...(isMac ? [{ role: 'zoom' as const }, { role: 'front' as const }] : []),
        ...(deps.hasDevTools ? [{ role: 'toggleDevTools' as const }] : []),
        ...ruled(own('window')),
      ],
    },
    { role: 'help', label: 'Help', submenu: [...own('help'), ...(isMac ? [] : [{ role: 'about' as const }])] },
  ];
}

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' };

const APP_MENU: MenuItemConstructorOptions = {
  role: 'appMenu',
  label: 'Hansard',
  submenu: [
    { role: 'about' },
    SEPARATOR,
    { role: 'services' },
    SEPARATOR,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    SEPARATOR,
    { role: 'quit' },
  ],
};

const EDITING: readonly MenuItemConstructorOptions[] = [
  { role: 'undo' },
  { role: 'redo' },
  SEPARATOR,
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'selectAll' },
];

function ruled(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.length > 0 ? [SEPARATOR, ...items] : [];
}

function item({ id, title, keys, isEnabled }: MenuEntry, run: (id: string) => void): MenuItemConstructorOptions {
  return {
    label: title.replaceAll('&', '&&'), // a single & would mark an access key
    enabled: isEnabled,
    ...(ACCELERATOR.test(keys) && { accelerator: keys, registerAccelerator: false }),
    click: () => run(id),
  };
}
