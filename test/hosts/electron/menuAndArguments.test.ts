import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { MenuEntry } from '../../../src-main/contract/window/desktop.ts';
import { folderArgument, linkArgument } from '../../../src-main/hosts/electron/launchArguments.ts';
import { otherCoreQuestion } from '../../../src-main/hosts/electron/otherCore.ts';
import { menuTemplate } from '../../../src-main/hosts/electron/windows/menuTemplate.ts';

const folder = mkdtempSync(join(tmpdir(), 'hansard-arguments-'));
writeFileSync(join(folder, 'file'), '');
afterAll(() => rmSync(folder, { recursive: true }));

describe('the menu', () => {
  const entry = (id: string, menu: MenuEntry['menu'], keys = '', isEnabled = true): MenuEntry => ({
    ...{ id, menu, keys, isEnabled },
    title: `Title & ${id}`,
  });
  const entries = [
    entry('window.new', 'file', 'Ctrl+Shift+N'),
    entry('tab.close', 'file', 'Ctrl+Shift+W', false),
    entry('pane.zoom', 'terminal', 'Ctrl+Shift+Enter'),
    entry('odd', 'view', 'Ctrl+javascript:alert(1)'),
  ];
  const ran: string[] = [];
  const deps = { newWindow: () => ran.push('new'), run: (id: string) => ran.push(id) };
  const items = (platform: NodeJS.Platform, hasDevTools = false, shown: readonly MenuEntry[] = entries) =>
    menuTemplate(platform, { ...deps, hasDevTools, entries: shown }).flatMap(({ submenu }) =>
      Array.isArray(submenu) ? submenu : [],
    );
  const roles = (platform: NodeJS.Platform, hasDevTools = false): unknown[] =>
    items(platform, hasDevTools).map(({ role }) => role);

  test.each(['linux', 'win32', 'darwin'] as const)(
    'has the same menus and the actions of the page on %s',
    (platform) => {
      const labels = menuTemplate(platform, { ...deps, hasDevTools: false, entries }).map(({ label }) => label);
      expect(labels.filter((label) => label !== 'Hansard')).toEqual([
        'File',
        'Edit',
        'View',
        'Terminal',
        'Window',
        'Help',
      ]);
      const own = items(platform).filter(({ label }) => label?.startsWith('Title'));
      expect(own.map(({ label, enabled, accelerator }) => [label, enabled, accelerator])).toEqual([
        ['Title && window.new', true, 'Ctrl+Shift+N'],
        ['Title && tab.close', false, 'Ctrl+Shift+W'],
        ['Title && odd', true, undefined],
        ['Title && pane.zoom', true, 'Ctrl+Shift+Enter'],
      ]);
    },
  );

  test('takes no key from the page, and runs what was chosen', () => {
    for (const { accelerator, registerAccelerator } of items('linux'))
      if (accelerator !== undefined) expect(registerAccelerator).toBe(false);
    const close = items('linux').find(({ label }) => label?.endsWith('tab.close'));
    close?.click?.({} as never, undefined, {} as never);
    expect(ran).toEqual(['tab.close']);
  });

  test('opens a window before a page has sent its actions', () => {
    expect(items('linux', false, []).map(({ label }) => label)).toContain('New window');
  });

  test('has on a Mac what only a menu can give', () => {
    expect(roles('darwin')).toEqual(
      expect.arrayContaining(['about', 'hide', 'quit', 'copy', 'paste', 'selectAll', 'minimize']),
    );
  });

  test.each(['close', 'reload', 'forceReload', 'resetZoom', 'delete'])('never takes the key of %s', (role) => {
    expect([...roles('darwin', true), ...roles('linux', true)]).not.toContain(role);
  });

  test('has the developer tools only when they were asked for', () => {
    expect([roles('linux').includes('toggleDevTools'), roles('linux', true).includes('toggleDevTools')]).toEqual([
      false,
      true,
    ]);
  });
});

describe('the folder that was named', () => {
  test.each([
    ['in a checkout', ['electron', '.', folder], false, folder],
    ['when packaged', ['/opt/hansard', folder], true, folder],
    ['from where the command was given', ['/opt/hansard', '.'], true, folder],
    ['behind switches', ['/opt/hansard', '--no-sandbox', '--remote-debugging-port=0', folder], true, folder],
    ['not at all', ['/opt/hansard'], true, null],
    ['not at all, in a checkout', ['electron', '.'], false, null],
    ['as a file', ['/opt/hansard', 'file'], true, null],
    ['as a place that is not there', ['/opt/hansard', '/no/such/place'], true, null],
    ['as nothing', ['/opt/hansard', ''], true, null],
    ['behind a link', ['/opt/hansard', 'hansard://terminal/t1', folder], true, folder],
  ])('%s', (_, argv, isPackaged, expected) => {
    expect(folderArgument(argv, { isPackaged, cwd: folder })).toBe(expected);
  });
});

test.each([
  [['/opt/hansard', '--flag', 'HANSARD://terminal/t1'], 'HANSARD://terminal/t1'],
  [['electron', '.', 'hansard://a', 'hansard://b'], 'hansard://b'],
  [['/opt/hansard', '/tmp', 'https://example.org'], null],
  [['hansard://own-name'], null],
])('the link of the command line %j is %s', (argv, link) => {
  expect(linkArgument(argv)).toBe(link);
});

describe('another core on the same record', () => {
  test('is shown as a page that can be opened, or named when it is silent', () => {
    expect([otherCoreQuestion(7, 'http://127.0.0.1:1/#c'), otherCoreQuestion(7, null)]).toMatchObject([
      { buttons: ['Open the page', 'Quit'], cancelId: 1 },
      { buttons: ['Quit'], cancelId: 0, detail: 'Process 7 uses the data folder. End it, then start Hansard again.' },
    ]);
  });

  test('keeps its one-time code out of the dialog', () => {
    expect(JSON.stringify(otherCoreQuestion(7, 'http://127.0.0.1:1/#secret'))).not.toContain('secret');
  });
});
