import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foldDeltas } from '../../src-main/contract/screen/foldDelta.ts';
import type { ScreenDelta } from '../../src-main/contract/screen/screenRecord.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { eventually, Installation, type RunningCli } from './Installation.ts';
import { finished, type Ran, runCli, startCli } from './runCli.ts';

const home = suiteFolder('cli-screen-live');
const otherHome = suiteFolder('cli-screen-other');
const installation = new Installation({ isBuilt: true });
const run = (...args: string[]) => runCli(args, { home });

let served: RunningCli;
let core: ReturnType<RunningCli['connect']>;
let id = '';

const type = (data: string) => core.api.terminal.write.mutate({ id, data });
/** Resolves when a row has the text. Asks the core and not the command line, whose answer the test compares. */
const shown = (text: string) =>
  eventually(text, async () => {
    const reading = await core.api.screen.read.query({ terminalId: id, scrollback: 0 });
    return (reading.full && reading.frame.rows.some((row) => row.text === text)) || undefined;
  });

const waits = async () => (await core.api.system.status.query()).waits;
/** Starts `hansard wait`; resolves when the core waits. */
async function startWait(...args: string[]): Promise<{ ran: Promise<Ran>; child: ChildProcess }> {
  const before = await waits();
  const child = startCli(['wait', ...args], { home });
  const ran = finished(child);
  await eventually('the wait', async () => (await waits()) > before || undefined);
  return { ran, child };
}

beforeAll(async () => {
  served = installation.start(['serve', '--no-open'], { home });
  await served.url();
  core = served.connect();
  ({ id } = await core.api.terminal.open.mutate({ cols: 60, rows: 10 }));
  await eventually(
    'a prompt',
    async () => (await core.api.terminal.submit.mutate({ id, text: 'PS1=%' })).ok || undefined,
  );
  await shown('%');
});

afterAll(async () => {
  core.dispose();
  await served.end('SIGKILL');
  installation.dispose();
});

describe('hansard screen with a running core', () => {
  test('prints the live screen, and as data what it is', async () => {
    await type('clear; seq 3\r');
    await shown('3');
    const text = await run('screen');
    expect([text.code, text.stdout.split('\n').slice(0, 3)]).toEqual([0, ['1', '2', '3']]);
    const { reading } = JSON.parse((await run('screen', id, '--json')).stdout);
    expect(reading).toMatchObject({ source: 'live', full: true, terminalId: id, frame: { cols: 60, rowsCount: 10 } });
  });

  test('--scrollback gives what has left it', async () => {
    await type('clear; seq 30\r');
    await shown('30');
    const { stdout } = await run('screen', '--scrollback', '5');
    const numbers = stdout.split('\n').filter((line) => /^\d+$/.test(line));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => String(31 - numbers.length + n)));
    expect(numbers.length).toBeGreaterThan(10);
  });

  test('--since gives what changed, and --at what it was', async () => {
    await type('clear; seq 101 104\r');
    await shown('104');
    const { reading: before } = JSON.parse((await run('screen', '--json')).stdout);
    await type('echo more\r');
    await shown('more');
    const diff = await run('screen', '--since', String(before.seq), '--epoch', before.epoch);
    expect(diff.stdout).toMatch(/^\+\d+ more$/m);
    expect(diff.stdout).not.toContain('103');
    await eventually('the delta in the file', async () => {
      const { stdout } = await run('screen', '--at', String(before.seq), '--json');
      const { reading } = JSON.parse(stdout);
      return reading.seq === before.seq || undefined;
    });
    const then = await run('screen', '--at', String(before.seq));
    expect([then.code, then.stdout]).toMatchObject([0, expect.stringContaining('104')]);
    expect(then.stdout).not.toContain('more');
  });

  test('the recorded deltas, page by page, lead to what it shows', async () => {
    await type('clear; printf "a\\nb\\nc\\n"; PS1=done\r');
    await shown('done');
    const folded = await eventually('the last delta', async () => {
      const deltas: ScreenDelta[] = [];
      for (let cursor = 0; ; ) {
        const page = await core.api.screen.deltas.query({ terminalId: id, cursor, limit: 7 });
        deltas.push(...page.deltas);
        if (page.deltas.length === 0) break;
        cursor = page.resumeCursor;
      }
      const screen = foldDeltas(deltas);
      const now = await core.api.screen.read.query({ terminalId: id, scrollback: 0 });
      return screen?.seq === now.seq && screen.epoch === now.epoch && now.full ? { screen, now: now.frame } : undefined;
    });
    expect(folded.screen.rows.map(({ text }) => text)).toEqual(folded.now.rows.map(({ text }) => text));
    expect(folded.screen.cursor.row).toBe(folded.now.cursor.row);
    await type('PS1=%\r');
  });

  test('--since ahead of the screen is a mistake of the caller', async () => {
    const { code, stderr } = await run('screen', '--since', '99999999');
    expect([code, stderr]).toEqual([64, expect.stringContaining('ahead of the screen')]);
  });
});

describe('hansard wait with a running core', () => {
  test('is met by new output, prints the match and ends with 0', async () => {
    const { ran } = await startWait(id, '--match', 'ready on port \\d+');
    await type('echo ready on port $((8080))\r');
    const { code, stdout, stderr } = await ran;
    // The typed line holds the words too, but no digits follow them.
    expect([code, stdout, stderr]).toEqual([0, 'ready on port 8080\n', '']);
  });

  test('is not met by what was there before, unless --screen asks for that', async () => {
    await type('echo stale\r');
    await shown('stale');
    const without = await run('wait', '--match', '^stale$', '--timeout', '0.2');
    expect([without.code, without.stderr]).toEqual([1, 'hansard: not met within 0.2 seconds\n']);
    expect(await run('wait', '--match', 'stale', '--screen', '--timeout', '0')).toMatchObject({
      code: 0,
      stdout: 'stale\n',
    });
  });

  test('--resume looks behind an earlier match only', async () => {
    await type('clear; echo one=$((1)) two=$((2))\r');
    await shown('one=1 two=2');
    const first = JSON.parse((await run('wait', '--match', '(one|two)=\\d', '--screen', '--json')).stdout).result;
    const { seq, row, col } = first.match.resume;
    const resume = ['--resume', `${seq},${row},${col}`, '--epoch', first.reading.epoch, '--timeout', '5'];
    const second = await run('wait', '--match', '(one|two)=\\d', ...resume);
    expect([first.match.text, second.code, second.stdout]).toEqual(['one=1', 0, 'two=2\n']);
  });

  test('--block-end and --prompt end with the command', async () => {
    const { ran } = await startWait('--block-end', '--prompt', '--all', '--json');
    await core.api.terminal.submit.mutate({ id, text: 'echo over' });
    const { code, stdout } = await ran;
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { result: { outcome: 'met', reading: { source: 'live' } } }]);
  });

  test('--stable waits until nothing moves', async () => {
    await type('for n in 1 2 3 4 5 6; do echo tick $n; sleep 0.1; done\r');
    const { code } = await run('wait', '--stable', '500');
    expect(code).toBe(0);
    expect((await run('screen')).stdout).toContain('tick 6');
  });

  test('a pattern that is none, or that never ends, is refused with 64', async () => {
    const none = await run('wait', '--match', '(', '--screen');
    expect([none.code, none.stderr]).toEqual([64, expect.stringContaining('a pattern cannot be used')]);
    await type(`echo ${'a'.repeat(40)}!\r`);
    const endless = await run('wait', '--match', '(a+)+$', '--screen', '--timeout', '20');
    expect([endless.code, endless.stderr]).toEqual([64, expect.stringContaining('a pattern cannot be used')]);
  });

  test('ends when the program ends; then the screen is still there', async () => {
    const other = await core.api.terminal.open.mutate({ cols: 60, rows: 10 });
    const { ran } = await startWait(other.id, '--match', 'never to come');
    await eventually('its prompt', async () => {
      const { ok } = await core.api.terminal.submit.mutate({ id: other.id, text: 'exit 3' });
      return ok || undefined;
    });
    const { code, stderr } = await ran;
    expect([code, stderr]).toEqual([1, 'hansard: the program ended before (3)\n']);
    await core.api.terminal.close.mutate({ id: other.id, force: true });
    expect((await run('screen', other.id)).stdout).toContain('exit 3');
    expect((await run('wait', other.id, '--exit')).code).toBe(1);
  });

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'one that is ended by %s leaves nothing behind in the core',
    async (signal) => {
      const { ran, child } = await startWait(id, '--match', 'never to come', '--timeout', '600');
      child.kill(signal);
      expect((await ran).signal).toBe(signal);
      await eventually('the end of the wait', async () => (await waits()) === 0 || undefined);
    },
  );

  test('one that the core is taken from says so and ends with 69', async () => {
    const other = installation.start(['serve', '--no-open'], { home: otherHome });
    await other.url();
    const api = other.connect();
    const terminal = await api.api.terminal.open.mutate({ cols: 60, rows: 10 });
    const ran = runCli(['wait', terminal.id, '--match', 'never to come'], { home: otherHome });
    await eventually('the wait', async () => (await api.api.system.status.query()).waits > 0 || undefined);
    api.dispose();
    await other.end('SIGKILL');
    expect(await ran).toMatchObject({ code: 69, stderr: expect.stringContaining('could not answer') });
  });
});

test('when the core is gone too, the last screen is still told', async () => {
  await type('clear; echo the end\r');
  await shown('the end');
  core.dispose();
  await served.end('SIGTERM');
  const { code, stdout } = await run('screen', id);
  expect([code, stdout]).toEqual([0, expect.stringContaining('the end')]);
  expect(JSON.parse((await run('screen', id, '--json')).stdout)).toMatchObject({ reading: { source: 'persisted' } });
});
