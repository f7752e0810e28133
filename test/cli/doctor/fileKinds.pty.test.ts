import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FILE_KINDS, kindOf, type Place } from '../../../src-main/cli/doctor/fileKinds.ts';
import { restTerminal } from '../../../src-main/store/archive/restTerminal.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { sourceFiles } from '../../support/sourceFiles.ts';
import { runCommand, TestCore } from '../../support/TestCore.ts';

const started = await TestCore.start();
afterAll(() => started.dispose());

/** Names that a source joins to the data folder, or the store to a terminal's folder. */
const JOINED = /join\((?:\w+\.|this\.#\w+\.|this\.)*(dataFolder|root), '([^'/]+)'/g;

test('doctor knows every file that a source names in the data folder or in a terminal (law)', () => {
  const named = sourceFiles('src-main', ['.ts']).flatMap(({ path, text }) =>
    [...text.matchAll(JOINED)]
      .filter(([, base]) => base === 'dataFolder' || path.startsWith('src-main/store/'))
      .map(([, base, name]) => [base === 'root' ? 'terminal' : 'data', name ?? ''] as const),
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter(([place, name]) => !kindOf(place, name))).toEqual([]);
});

test('doctor knows every file that a core leaves behind, before and after compression', async () => {
  const terminal = await started.open();
  await runCommand(terminal, 'seq 1 60000; printf "\\e[?1049hfull\\e[?1049l\\e[5;5Hdrawn\\n"');
  await started.core.settings.update({ theme: 'dark' });
  const folder = new SessionFolder(started.dataFolder, terminal.id);
  const unknown = (): string[] =>
    (
      [
        ['data', started.dataFolder],
        ['terminal', folder.root],
        ['blocks', folder.blocksDir],
      ] as [Place, string][]
    ).flatMap(([place, path]) => readdirSync(path).filter((name) => !kindOf(place, name)));
  expect(unknown()).toEqual([]);
  await started.core.close(terminal.id, true);
  expect((await restTerminal(folder, {})).files).toBeGreaterThan(0);
  expect(unknown()).toEqual([]);
  expect(readdirSync(join(started.dataFolder, 'terminals'))).toEqual([terminal.id]);
});

test('each kind has one entry and a remedy', () => {
  const keys = FILE_KINDS.map(({ place, name }) => `${place} ${name}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(FILE_KINDS.filter(({ remedy }) => remedy === '')).toEqual([]);
});
