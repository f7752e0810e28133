import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { RunningCli } from './Installation.ts';
import { recordTerminal } from './recordFolder.ts';

const DOOR = join(ROOT, 'resources/bin/hansard.mjs');

describe('the built command line', () => {
  test('has been built before the tests', () => {
    expect(existsSync(join(ROOT, 'out/main/cli.js')), 'run `npm test`, which builds').toBe(true);
  });

  const LINES =
    '--help|-h|--version|ls --all|ls --help|blocks --json|block last|block|help ls|--help ls|lss|ls --no-such-option';

  test.each(LINES.split('|'))('does for `%s` what the whole program does', async (line) => {
    const home = suiteFolder('door');
    await recordTerminal(home, 't1', [{ id: 'b1-aa', text: 'hello\n', outputLines: 1 }]);
    const [door, whole] = await Promise.all(
      [DOOR, join(ROOT, 'out/main/cli.js')].map(async (file) => {
        const cli = new RunningCli([file, ...line.split(' ')], { home });
        return { end: await cli.gone, stdout: cli.stdout, stderr: cli.stderr };
      }),
    );
    expect(door).toEqual(whole);
    expect(`${door?.stdout}${door?.stderr}`).not.toBe('');
  });

  test('reads the record', async () => {
    const home = suiteFolder('built');
    await recordTerminal(home, 't1', [{ id: 'b1-aa', text: 'hello\n', outputLines: 1 }]);
    const cli = new RunningCli([DOOR, 'block', 'last'], { home });
    expect([(await cli.gone)[0], cli.stdout, cli.stderr]).toEqual([0, 'hello\n', '']);
  });

  test('serves, and ends with 0 when it is told to', async () => {
    const cli = new RunningCli([DOOR, 'serve', '--no-open'], { home: suiteFolder('built-serve') });
    const url = new URL(await cli.url());
    const page = await fetch(new URL('/', url));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<!doctype html>')]);
    expect(await cli.end()).toBe(0);
  });

  test('keeps its exit codes', async () => {
    const cli = new RunningCli([DOOR, 'serve', '--host', '0.0.0.0'], { home: suiteFolder('built-refuses') });
    expect((await cli.gone)[0]).toBe(64);
  });
});
