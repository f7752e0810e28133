/**
 * Starts the built desktop app and uses its parts outside of the windows: menu bar, badge, tray, global shortcut, and the check for a
 * new version. Prints a report as one line of JSON.
 */
import { fileURLToPath } from 'node:url';
import { createTRPCClient } from '@trpc/client';
import type { AppRouter } from '../../../src-main/api/appRouter.ts';
import { readView } from '../../support/readView.ts';
import { app, type BrowserWindow, ended, ipcMain, record } from './electron.ts';
import type { FakeContents } from './FakeContents.ts';
import { eventFrom, openBridge } from './openBridge.ts';

const report: Record<string, unknown> = {};

async function until<T>(look: () => T | undefined | false | null): Promise<T> {
  for (;;) {
    const seen = look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const preload = fileURLToPath(new URL('../../../out/preload/preload.cjs', import.meta.url));
await import(new URL('../../../out/main/electron.js', import.meta.url).href);
const window = await until(() => record.windows.find(({ url, isShown }) => url !== '' && isShown));
const contents = window.webContents;
const bridge = openBridge(preload, (channel, message) => {
  ipcMain.emit(channel, eventFrom(contents, contents.mainFrame, bridge.deliver), message);
});
Object.assign(globalThis, { electronTRPC: bridge.exposed[0]?.api });
const { ipcLink } = await import('electron-trpc/renderer');
const api = createTRPCClient<AppRouter>({ links: [ipcLink()] });
const desktop = bridge.exposed[1]?.api as unknown as { tell(wish: unknown): void };

interface Item {
  label?: string;
  submenu?: Item[];
  click?: () => void;
}
const menu = () => record.menu as Item[];
const labels = () => menu().map(({ label }) => label);
report.firstMenu = labels();
desktop.tell({ menu: [{ id: 'tab.new', title: 'New tab', menu: 'file', keys: 'Ctrl+T', isEnabled: true }] });
const item = await until(() =>
  menu()
    .flatMap(({ submenu = [] }) => submenu)
    .find(({ label }) => label === 'New tab'),
);
item.click?.();
report.ran = (contents as FakeContents).sent;
const before = record.menu;
for (const bad of [
  { menu: [{ id: 1 }] },
  { menu: 'x' },
  { badge: { count: -1, icon: null, words: '' } },
  { badge: { count: 1, icon: 'http://x', words: '' } },
])
  desktop.tell(bad);
report.isMenuKept = record.menu === before;
desktop.tell({ badge: { count: 2, icon: null, words: '2 wait' } });
report.badges = record.badges;

await api.settings.set.mutate({ 'desktop.tray': true, 'desktop.globalShortcut': 'Ctrl+Alt+H' });
const tray = await until(() => record.trays[0]);
await until(() => record.shortcuts[0]);
report.shortcuts = [...record.shortcuts];
const seen = window.focusCount;
(Reflect.get(globalThis, 'pressShortcut') as () => void)();
await until(() => window.focusCount > seen);
for (const keys of ['Ctrl+Alt+T', 'no shortcut at all']) {
  const asked = record.questions.length;
  await api.settings.set.mutate({ 'desktop.globalShortcut': keys });
  await until(() => record.questions.length > asked);
}
report.taken = record.questions.map(({ message }) => message);
report.shortcutsAfter = record.shortcuts;
record.questions.length = 0;

for (const feed of ['', 'http://example.org/feed', 'https://user@example.org/']) {
  await api.settings.set.mutate({ 'update.feed': feed });
  const asked = record.questions.length;
  desktop.tell('update');
  await until(() => record.questions.length > asked);
}
report.updates = record.questions.map(({ message }) => message);
record.questions.length = 0;

const { id } = await api.terminal.open.mutate({ cols: 80, rows: 24 });
// Waits for the prompt, because quitting asks about programs, and before its prompt a shell runs those of its start-up files.
while (!(await readView(api, id))?.atPrompt) await new Promise((resolve) => setTimeout(resolve, 20));
window.close();
await until(() => window.isDestroyed());
report.questionsAtClose = record.questions.length;
tray.menu.find(({ label }) => label === 'Show Hansard')?.click?.();
const second = (await until(() => record.windows.find((one) => one !== window && one.isShown))) as BrowserWindow;
report.cameBack = second.url !== '';
report.toolTip = tray.toolTip;
tray.menu.find(({ label }) => label === 'Quit')?.click?.();
report.exitCode = await Promise.race([ended.promise, until(() => record.questions[0]?.message)]);
if (typeof report.exitCode !== 'number') app.exit(0);
report.isTrayGone = tray.isGone;
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
