import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { folderArgument, linkArgument } from '../../../src-main/hosts/electron/launchArguments.ts';
import { otherCoreQuestion } from '../../../src-main/hosts/electron/otherCore.ts';
import { menuTemplate } from '../../../src-main/hosts/electron/windows/menuTemplate.ts';

const folder = mkdtempSync(join(tmpdir(), 'hansard-arguments-'));
writeFileSync(join(folder, 'file'), '');
afterAll(() => rmSync(folder, { recursive: true }));

describe('the menu', () => {
  const roles = (hasDevTools: boolean): unknown[] =>
    (menuTemplate('darwin', { hasDevTools, newWindow: () => undefined }) ?? []).flatMap(({ submenu }) =>
      Array.isArray(submenu) ? submenu.map(({ role }) => role) : [],
    );

  test.each(['linux', 'win32'] as const)(
    'is not there on %s, where its keys would be taken from programs',
    (platform) => {
      expect(menuTemplate(platform, { hasDevTools: true, newWindow: () => undefined })).toBe(null);
    },
  );

  test('has on a Mac what only a menu can give', () => {
    expect(roles(false)).toEqual(
      expect.arrayContaining(['about', 'hide', 'quit', 'copy', 'paste', 'selectAll', 'minimize']),
    );
  });

  test.each(['close', 'reload', 'forceReload', 'resetZoom', 'delete'])('never takes the key of %s', (role) => {
    expect(roles(true)).not.toContain(role);
  });

  test('has the developer tools only when they were asked for', () => {
    expect([roles(false).includes('toggleDevTools'), roles(true).includes('toggleDevTools')]).toEqual([false, true]);
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
