import type { MenuItemConstructorOptions } from 'electron';

/**
 * The menu bar: macOS cannot do without one, since copy, paste and quit come from it. Elsewhere there is none, because
 * its keys (Ctrl+W, Ctrl+R, Alt alone) belong to the programs in the terminal; the palette holds every action.
 * Close and reload are left out everywhere: closing a tab is the window's own Cmd+W.
 */
export function menuTemplate(
  platform: NodeJS.Platform,
  { hasDevTools, newWindow }: { hasDevTools: boolean; newWindow(): void },
): MenuItemConstructorOptions[] | null {
  if (platform !== 'darwin') return null;
  return [
    {
      role: 'appMenu',
      label: 'Hansard',
      submenu: [
        { role: 'about' },
        { type: 'separator' },
        { role: 'services' },
        { type: 'separator' },
        { role: 'hide' },
        { role: 'hideOthers' },
        { role: 'unhide' },
        { type: 'separator' },
        { role: 'quit' },
      ],
    },
    {
      role: 'fileMenu',
      label: 'File',
      submenu: [{ label: 'New window', accelerator: 'Cmd+Shift+N', click: newWindow }],
    },
    {
      role: 'editMenu',
      label: 'Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
      ],
    },
    {
      role: 'windowMenu',
      label: 'Window',
      submenu: [
        { role: 'minimize' },
        { role: 'zoom' },
        { role: 'togglefullscreen' },
        ...(hasDevTools ? [{ role: 'toggleDevTools' } as const] : []),
        { type: 'separator' },
        { role: 'front' },
      ],
    },
  ];
}
