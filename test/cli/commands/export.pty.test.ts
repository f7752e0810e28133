import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { recordTerminal, START_MS } from '../recordFolder.ts';
import { runCli } from '../runCli.ts';

const home = suiteFolder('cli-export');
const run = (...args: string[]) => runCli(args, { home });

beforeAll(async () => {
  await recordTerminal(
    home,
    'told',
    [
      {
        id: 'b1-aa',
        cmd: 'make',
        raw: 'built\r\n',
        text: 'built\n',
        startedMs: START_MS + 1000,
        endedMs: START_MS + 3000,
      },
      {
        id: 'b2-bb',
        cmd: 'make test',
        raw: '\x1b[31mfailed\x1b[m\r\n',
        exitCode: 2,
        startedMs: START_MS + 5000,
        endedMs: START_MS + 6000,
      },
    ],
    { name: 'the build' },
  );
});

describe('hansard export', () => {
  test('a terminal goes to stdout, without times by those of its blocks, and that is said', async () => {
    const { code, stdout, stderr } = await run('export', 'told');
    expect(code).toBe(0);
    expect(stderr).toMatch(/recorded without times/);
    const [head, ...events] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(head).toMatchObject({ version: 2, width: 80, height: 24, title: 'the build', timestamp: START_MS / 1000 });
    expect(events).toEqual([
      [1, 'm', 'make'],
      [1, 'o', 'built\r\n'],
      [5, 'm', 'make test'],
      [5, 'o', '\x1b[31mfailed\x1b[m\r\n'],
    ]);
  });

  test('a block goes into a file that is ours alone, in version 3 with its exit code', async () => {
    const path = join(home, 'block.cast');
    const { code, stdout } = await run('export', 'b2', '-f', 'cast3', '-i', '1.5', '-o', path);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const [head, ...events] = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(head).toMatchObject({ version: 3, title: 'make test', idle_time_limit: 1.5 });
    expect(events).toEqual([
      [0, 'm', 'make test'],
      [0, 'o', '\x1b[31mfailed\x1b[m\r\n'],
      [1, 'x', '2'],
    ]);
  });

  test('what was exported is kept by retention', async () => {
    await run('export', 'told', '-o', join(home, 'kept.cast'));
    const { stdout } = await run('prune', '--dry-run', '--bytes', '1', '--json');
    expect(JSON.stringify(JSON.parse(stdout))).not.toContain('"told"');
  });

  test.each([
    [['export', 'nothing-like-it'], 66, /no terminal "nothing-like-it"/],
    [['export', 'b9'], 66, /no block "b9"/],
    [['export', 'told', '-f', 'gif'], 64, /cast, cast3/],
    [['export', 'told', '-i', '0'], 64, /number of seconds/],
    [['export', 'told', '-o', '/nowhere/at/all.cast'], 74, /could not be written/],
  ] as const)('%j is refused with %i', async (args, code, message) => {
    const ran = await run(...args);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toMatch(message);
    expect(existsSync('/nowhere')).toBe(false);
  });
});
