import { randomBytes } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { restTerminal } from '../../src-main/store/archive/restTerminal.ts';
import { restedPath } from '../../src-main/store/files/openRecordFile.ts';
import type { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { recordTerminal } from './recordFolder.ts';
import { runCli } from './runCli.ts';

const home = join(suiteFolder('damaged-zstd'), 'home');
const FRAME_BYTES = 1024 * 1024;
/** Three and a half frames of a text that compresses badly. */
const TEXT = `${randomBytes((FRAME_BYTES * 3.5 * 3) / 4)
  .toString('base64')
  .replace(/(.{99})/g, '$1\n')}\n`;

/** The middle of a compressed file, which is within its second frame. */
const middle = (path: string): number => Math.floor(readFileSync(path).length / 2);

const DAMAGES: Record<string, (path: string) => void> = {
  'a flipped byte': (path) => {
    const bytes = readFileSync(path);
    const at = middle(path);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
  },
  'a cut': (path) => truncateSync(path, middle(path)),
  'zeros from the middle on': (path) => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, middle(path)));
  },
  'an index that is gone': (path) => truncateSync(path, readFileSync(path).length - 9),
};
const names = Object.keys(DAMAGES);
const idOf = (damage: string): string => `t${names.indexOf(damage)}`;

beforeAll(async () => {
  const folders: SessionFolder[] = [];
  for (const damage of names) {
    const raw = TEXT;
    const id = idOf(damage);
    folders.push(await recordTerminal(home, id, [{ id: `b1-${id}`, raw, text: TEXT, outputLines: 10 }]));
  }
  for (const [at, folder] of folders.entries()) {
    await restTerminal(folder, {});
    for (const path of [folder.raw, folder.out(`b1-t${at}`)]) DAMAGES[names[at] ?? '']?.(restedPath(path));
  }
});

const GONE = 'an index that is gone';

describe('a damaged compressed file', () => {
  test.each(names.filter((name) => name !== GONE))(
    'with %s: prints the bytes before the damage, names the range and reports no bug',
    async (damage) => {
      for (const more of [[], ['--raw']]) {
        const { code, stdout, stderr } = await runCli(['block', `b1-${idOf(damage)}`, ...more], { home });
        expect([code, stderr]).toEqual([65, expect.stringMatching(/\.zst is damaged: .*bytes? \d+.*hansard doctor/)]);
        expect(stdout.length).toBeGreaterThanOrEqual(FRAME_BYTES);
        expect(TEXT.startsWith(stdout)).toBe(true);
        expect(Number(/bytes? (\d+)/.exec(stderr)?.[1])).toBe(stdout.length);
      }
    },
  );

  test('is read whole when only its index is missing', async () => {
    const { code, stdout, stderr } = await runCli(['block', `b1-${idOf(GONE)}`], { home });
    expect([code, stdout === TEXT]).toEqual([65, true]);
    expect(stderr).toContain(`nothing of the content from byte ${TEXT.length} on`);
  });

  test('is searched up to the damage, and the search names every damaged file', async () => {
    const word = TEXT.slice(0, 40);
    const paths = names.map((damage) => `${idOf(damage)}/blocks/b1-${idOf(damage)}.out.zst`);
    const found = await runCli(['search', '--exact', word], { home });
    expect(found.stdout.split('\n').filter((line) => line.includes(word))).toHaveLength(names.length);
    const missed = await runCli(['search', '--exact', 'is not in any of them'], { home });
    expect(missed.stdout).toBe('');
    for (const { code, stderr } of [found, missed]) {
      expect(code).toBe(65);
      for (const path of paths) expect(stderr).toContain(path);
    }
  });

  test('is never exported incompletely', async () => {
    for (const damage of names) {
      const { code, stderr } = await runCli(['export', idOf(damage)], { home });
      expect([code, stderr]).toEqual([65, expect.stringContaining('output.raw.zst is damaged')]);
    }
  });
});
