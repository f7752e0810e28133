import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon } from '../../support/soon.ts';
import { TestCore } from '../../support/TestCore.ts';
import { Receiver, refuse } from '../../telemetry/support/Receiver.ts';
import { runCli, runShell } from '../runCli.ts';
import { serveTestCore } from '../servedTestCore.ts';

const SECRET = 'Bearer q7Wv-not-a-known-form-9Zk';
let core: TestCore;
let receiver: Receiver;
let stop: () => Promise<void>;
const run = (...args: string[]) => runCli(['telemetry', ...args], { home: core.dataFolder });

const setHeader = (name: string, input: string) =>
  runShell(`printf '%b' '${input}' | hansard telemetry header ${name}`, { home: core.dataFolder });

beforeAll(async () => {
  core = await TestCore.start();
  stop = await serveTestCore(core);
  receiver = await Receiver.start();
});

afterAll(async () => {
  await stop();
  await receiver.stop();
});

test('a core that was not asked to send anything says so, and nothing was sent', async () => {
  const { code, stdout } = await run();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Telemetry is off\. Nothing is sent\.\n/);
  expect(await run('send', '--since', '1d')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Telemetry is off'),
  });
  expect(await run('test')).toMatchObject({ code: 1, stdout: expect.stringContaining('No collector is set') });
  expect(receiver.got).toEqual([]);
});

test('a header comes from stdin and is never printed', async () => {
  const set = await setHeader('Authorization', `${SECRET}\\n`);
  expect(set).toMatchObject({ code: 0, stdout: 'Set header Authorization.\n' });
  const bad = await setHeader('X-Bad', `${SECRET}\\nmore`);
  expect(bad.code).toBe(65);
  const printed = [
    set,
    bad,
    await run('status'),
    await run('status', '--json'),
    await runCli(['doctor'], { home: core.dataFolder }),
  ];
  expect(printed.map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain('q7Wv');
});

test('it is turned on, tested, paused by a refusal, and turned off', async () => {
  expect(await run('on', receiver.origin)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${receiver.origin}/v1/traces`),
  });
  expect(await run('test')).toMatchObject({ code: 0, stdout: expect.stringContaining('accepted the test span: 200') });
  expect(receiver.got.at(-1)?.headers.authorization).toBe(SECRET);
  receiver.behave = refuse(403, { 'content-type': 'text/plain' }, 'no \x1b[2J access');
  const refused = await run('test');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('403 Forbidden: check the headers. no \\e[2J access');
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
    version: 1,
    telemetry: { isOn: true, hasContent: false, headers: ['Authorization'] },
  });
  expect(await run('off')).toMatchObject({ code: 0, stdout: 'Telemetry is off. Nothing is sent.\n' });
  await soon(() => core.core.telemetry.status.sinceMs).toBeNull();
});

describe('a mistake', () => {
  test.each<[string[], number, string]>([
    [['send'], 64, '--since'],
    [['send', '--since', 'yesterday-ish'], 64, 'a date'],
    [['send', '--since', '412'], 64, 'a date'],
    [['on', 'http://collector.example'], 1, 'not encrypted'],
    [['on', 'collector'], 1, 'not an address'],
    [['header', 'X-None', '--remove'], 1, 'No header X-None'],
    [['header', 'a\x1b[31mb', '--remove'], 1, 'a\\e[31mb'],
    [['nonsense'], 64, 'nonsense'],
  ])('%j exits with %i and says what is wrong', async (args, code, words) => {
    const done = await run(...args);
    expect(done.code).toBe(code);
    expect(done.stdout + done.stderr).toContain(words);
  });
});
