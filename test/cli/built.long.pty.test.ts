import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { Installation, RunningCli } from './Installation.ts';
import { recordTerminal } from './recordFolder.ts';

const DOOR = join(ROOT, 'resources/bin/hansard.mjs');

describe('the built command line', () => {
  test('has been built before the tests', () => {
    expect(existsSync(join(ROOT, 'out/main/cli.js')), 'run `npm test`, which builds').toBe(true);
  });

  const LINES =
    '--help|-h|--version|ls --all|ls --help|blocks --json|block last|block|help ls|--help ls|lss|ls --no-such-option|record --help|record -x';

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

  test('writes the cast of a recording during which the program was removed, as an update does', async () => {
    const home = suiteFolder('built-record');
    const program = new Installation({ isBuilt: false });
    const [out, cast] = [join(program.root, 'out'), join(home, 'x.cast')];
    const record = ['record', '-q', '-o', cast, '--', 'sh', '-c', `rm -r '${out}' && echo gone`];
    const cli = new RunningCli([join(out, 'main/quick.js'), ...record], { home });
    expect([(await cli.gone)[0], cli.stderr]).toEqual([0, '']);
    expect(readFileSync(cast, 'utf8')).toContain('gone');
    program.dispose();
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
