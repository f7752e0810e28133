import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { eventually, Installation, type RunningCli } from './Installation.ts';
import { recordTerminal } from './recordFolder.ts';
import { runCli } from './runCli.ts';

const home = suiteFolder('cli-live');
const installation = new Installation({ isBuilt: true });
const run = (...args: string[]) => runCli(args, { home });
const json = async <T>(...args: string[]): Promise<T> => JSON.parse((await run(...args, '--json')).stdout) as T;

interface Listed {
  core: { pid: number } | null;
  terminals: { id: string; state: string; runningBlockId: string | null; integration: { level: string } | null }[];
  blocks: {
    id: string;
    cmd: string;
    status: string;
    exitCode: number | null;
    outputLines: number;
    outputBytes: number;
  }[];
}

let served: RunningCli;
let terminalId = '';

beforeAll(async () => {
  await recordTerminal(home, 'told', [{ id: 'b1-old', cmd: 'before', text: 'of old\n', outputLines: 1 }]);
  served = installation.start(['serve', '--no-open'], { home });
  await served.url();
  const core = served.connect();
  const { id } = await core.api.terminal.open.mutate({ cols: 80, rows: 24 });
  terminalId = id;
  const prompt = () =>
    eventually('a prompt', async () => (await core.api.terminal.submit.mutate({ id, text: 'true' })).ok || undefined);
  await eventually('the shell', async () =>
    (await json<Listed>('ls')).terminals.find(({ integration }) => integration?.level === 'rich'),
  );
  await prompt();
  await eventually('the first block', async () =>
    (await core.api.block.page.query({ terminalId: id, limit: 9 })).blocks.find(({ exitCode }) => exitCode === 0),
  );
  await core.api.terminal.submit.mutate({ id, text: 'seq 3; printf "%s" partly; sleep 60' });
  await eventually('its output', async () =>
    (await core.api.block.page.query({ terminalId: id, limit: 9 })).blocks.find(({ outputLines }) => outputLines >= 3),
  );
  core.dispose();
});

afterAll(async () => {
  await served.end('SIGKILL');
  installation.dispose();
});

describe('with a running core', () => {
  test('ls tells which shells live and what they run', async () => {
    const { core, terminals } = await json<Listed>('ls', '--all');
    expect(core).toEqual({ pid: served.child.pid });
    expect(terminals).toMatchObject([
      { id: terminalId, state: 'live', integration: { level: 'rich' }, runningBlockId: expect.stringMatching(/^b2-/) },
      { id: 'told', state: 'closed', integration: null, runningBlockId: null },
    ]);
  });

  test('blocks has the counters of the block that runs', async () => {
    const { blocks } = await json<Listed>('blocks', terminalId);
    expect(blocks).toMatchObject([
      { cmd: 'true', status: 'completed', exitCode: 0 },
      { cmd: 'seq 3; printf "%s" partly; sleep 60', status: 'running', exitCode: null },
    ]);
    expect(blocks[1]?.outputBytes).toBeGreaterThanOrEqual('1\r\n2\r\n3\r\npartly'.length);
  });

  test('block gives the text of the running block as far as it has come', async () => {
    const { code, stdout } = await run('block', 'b2', '-t', terminalId);
    expect([code, stdout]).toEqual([0, '1\n2\n3\npartly\n']);
  });

  test('block last is the one that has ended, not the one that runs', async () => {
    expect((await json<{ block: { cmd: string } }>('block', 'last', '-t', terminalId)).block.cmd).toBe('true');
  });

  test('closed terminals are read from the files', async () => {
    expect((await run('block', 'b1-old')).stdout).toBe('of old\n');
    expect((await json<Listed>('blocks', 'told')).blocks).toMatchObject([{ cmd: 'before' }]);
  });

  test('doctor says that it answers and that its socket is for us alone', async () => {
    const { code, stdout } = await run('doctor', '--no-probe', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { id: string; status: string }[] };
    const core = checks.filter(({ id }) => id.startsWith('core.')).map(({ id, status }) => `${id} ${status}`);
    expect([code, core]).toEqual([
      0,
      ['core.running ok', 'core.version ok', 'core.shells ok', 'core.socket ok', 'core.socket-folder ok'],
    ]);
  });

  test('one that hangs is passed over: the files are read and it is said so', async () => {
    served.child.kill('SIGSTOP');
    const { code, stdout, stderr } = await run('blocks', terminalId, '--json');
    const doctor = await run('doctor', '--no-probe', '--json');
    served.child.kill('SIGCONT');
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Listed).blocks).toMatchObject([{ status: 'completed' }, { status: 'running' }]);
    expect(stderr).toMatch(
      /^hansard: Hansard runs \(process \d+\) but .*: reading the files instead, which may be behind\n$/,
    );
    expect([doctor.code, doctor.stdout.includes(`kill ${served.child.pid}`)]).toEqual([1, true]);
  });

  test('a damaged core.json is passed over too, and stays where it is', async () => {
    const path = join(home, 'core.json');
    writeFileSync(path, 'no json');
    const { code, stderr } = await run('ls');
    expect([code, stderr.includes(`${path} cannot be read`), existsSync(path)]).toEqual([0, true, true]);
  });
});
