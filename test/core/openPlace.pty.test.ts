import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findFile, parsePlace, planEditor } from '../../src-main/core/openPlace.ts';
import { findProgram } from '../machines/rig/findProgram.ts';
import { runCommand, TestCore, until } from '../support/TestCore.ts';

const folder = mkdtempSync(join(tmpdir(), 'hansard-places-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['src/a.ts:14:3', { path: 'src/a.ts', line: 14, col: 3 }],
  ['src/a.ts:14', { path: 'src/a.ts', line: 14, col: null }],
  ['a.ts', { path: 'a.ts', line: null, col: null }],
  ['odd:1:2:3', { path: 'odd:1', line: 2, col: 3 }],
])('%s is a place', (text, place) => {
  expect(parsePlace(text)).toEqual(place);
});

test('a file is found from where the command ran, from home, or by its whole path; folders and devices are not', () => {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.ts'), '');
  const where = { cwd: folder, home: folder };
  const path = join(folder, 'src/a.ts');
  expect(['src/a.ts', './src/../src/a.ts', '~/src/a.ts', path].map((text) => findFile(text, where))).toEqual([
    path,
    path,
    path,
    path,
  ]);
  expect(['src', 'none.ts', '/dev/null', '~/none'].map((text) => findFile(text, where))).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(findFile('src/a.ts', { cwd: null, home: folder })).toBeNull();
});

test.each([
  ['code -g {file}:{line}:{col}', {}, { kind: 'window', argv: ['code', '-g', '/w/a b.ts:7:1'] }],
  ['my-editor', {}, { kind: 'window', argv: ['my-editor', '/w/a b.ts'] }],
  ['', { EDITOR: '/opt/bin/code --wait' }, { kind: 'window', argv: ['/opt/bin/code', '-g', '/w/a b.ts:7:1'] }],
  ['', { EDITOR: 'emacs -nw' }, { kind: 'terminal', command: "emacs -nw +7 '/w/a b.ts'" }],
  ['', { VISUAL: 'subl', EDITOR: 'vim' }, { kind: 'window', argv: ['subl', '/w/a b.ts:7:1'] }],
  ['', { PATH: '/nowhere' }, null],
])('with the setting "%s" and %o the editor is started so', (setting, env, plan) => {
  expect(planEditor({ path: '/w/a b.ts', line: 7, col: null }, setting, env)).toEqual(plan);
});

describe('in a core', () => {
  const script = (text: string): string => {
    const path = join(folder, 'edit');
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o700);
    return path;
  };

  test('the editor gets the file, with quotes and spaces in its name, and no shell reads the name', async () => {
    const core = await TestCore.start();
    try {
      await core.core.settings.update({
        'editor.command': `${script('printf "%s\\n" "$@" > "$HOME/got"')} {line} {file}`,
      });
      const terminal = await core.open();
      const name = "it's; touch $(x).ts";
      writeFileSync(join(core.home, name), '');
      const { id: blockId } = await runCommand(terminal, 'true');
      const ask = (place: string) => core.core.opening.place({ terminalId: terminal.id, blockId, place });
      expect(await ask(`${name}:3`)).toEqual({ opened: true, terminalId: null });
      expect(await ask('none.ts:3')).toMatchObject({ opened: false, reason: expect.stringContaining('none.ts') });
      const got = join(core.home, 'got');
      await expect.poll(() => existsSync(got) && readFileSync(got, 'utf8')).toBe(`3\n${join(core.home, name)}\n`);
    } finally {
      await core.dispose();
    }
  });

  test.skipIf(findProgram('vim') === null)('an editor that needs a terminal gets a tab, at its line', async () => {
    const core = await TestCore.start();
    try {
      const terminal = await core.open();
      writeFileSync(join(core.home, "it's.ts"), 'one\n');
      const { id: blockId } = await runCommand(terminal, 'true');
      const verdict = await core.core.opening.place({ terminalId: terminal.id, blockId, place: "it's.ts:12" });
      if (!verdict.opened || verdict.terminalId === null) throw new Error(JSON.stringify(verdict));
      const tab = core.core.terminal(verdict.terminalId);
      await until(tab, ({ book }) => book.running !== null || book.lastSeq > 0);
      expect((await tab.book.page({ limit: 1 })).blocks[0]?.cmd).toMatch(/^(nano|vim|vi) \+12 '.*it'\\''s\.ts'$/);
      expect(tab.view.cwd).toBe(core.home);
    } finally {
      await core.dispose();
    }
  });
});
