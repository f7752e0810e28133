import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../runCli.ts';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'hansard-themes-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('`themes import` stores a theme that `themes ls` lists, and refuses a bad file with its line', async () => {
  const good = join(home, 'Low Tide');
  const palette = Array.from({ length: 16 }, (_, index) => `palette = ${index}=#0000${index + 10}`);
  writeFileSync(good, [...palette, 'background = #101010', 'foreground = #eeeeee'].join('\n'));
  const done = await runCli(['themes', 'import', good], { home });
  expect([done.code, done.stdout]).toEqual([
    0,
    'Imported dark theme "Low Tide" as low-tide. Choose it in the settings of the window.\n',
  ]);
  const listed = await runCli(['themes', 'ls', '--json'], { home });
  const { themes } = JSON.parse(listed.stdout) as { themes: { id: string; isImported: boolean }[] };
  expect(themes.filter(({ isImported }) => isImported).map(({ id }) => id)).toEqual(['low-tide']);

  writeFileSync(good, 'background = teal');
  const bad = await runCli(['themes', 'import', good], { home });
  expect(bad.code).toBe(65);
  expect(bad.stderr).toContain('background (line 1) is "teal", which is not a colour. Write it like #1a2b3c.');
});
