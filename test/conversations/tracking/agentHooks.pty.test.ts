import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOOK_SOURCES } from '../../../src-main/conversations/extraction/extractors/agents/hooks.ts';
import { type HookCall, HookServer } from '../../../src-main/conversations/tracking/HookServer.ts';
import { changeHooks, hookReports } from '../../../src-main/conversations/tracking/hookFiles.ts';
import { addHooks, removeHooks } from '../../../src-main/conversations/tracking/hookSettings.ts';
import { findAppFiles } from '../../../src-main/hosts/appFiles.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';

const root = suiteFolder('agent-hooks');
const { agentHook } = findAppFiles();
const COMMAND = { node: process.execPath, script: agentHook, withStream: false };
let round = 0;
let folder = '';
let door: HookServer;
let calls: HookCall[] = [];

beforeEach(async () => {
  folder = join(root, `d${round++}`);
  mkdirSync(folder, { mode: 0o700 });
  door = await HookServer.open(folder);
  calls = [];
  door.onCall((call) => calls.push(call));
});
afterEach(() => door.dispose());

/** Runs hook.mjs as an agent does; resolves with its exit code and all it printed. */
function runHook(
  args: readonly string[],
  env: Record<string, string>,
  input: string | Buffer,
): Promise<[number | null, string]> {
  const child = spawn(process.execPath, [agentHook, ...args], { env });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += data.toString()));
  child.stdin.on('error', () => undefined); // the hook does not read its input if it knows no core
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve([code, printed])));
}

function sendRaw(bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = createConnection(door.path);
    socket.on('error', () => undefined); // refused during the write
    socket.on('close', () => resolve());
    socket.resume();
    socket.end(bytes);
  });
}

describe("an agent's hook", () => {
  test('is heard with what the agent gave it, and prints nothing', async () => {
    const env = door.admit('t1', 'secret');
    expect(await runHook(['some', 'Stop'], env, '{"session_id":"s","text":"日本"}')).toEqual([0, '']);
    expect(calls).toEqual([
      { terminalId: 't1', agent: 'some', event: 'Stop', payload: { session_id: 's', text: '日本' } },
    ]);
  });

  test('that is larger than any event should be tells only that it happened', async () => {
    const env = door.admit('t1', 'secret');
    await runHook(['some', 'PostToolUse'], env, `{"x":"${'y'.repeat(5 * 1024 * 1024)}"}`);
    expect(calls).toEqual([{ terminalId: 't1', agent: 'some', event: 'PostToolUse', payload: {} }]);
  });

  test('ends with 0 and in silence where no core runs, or none is told of', async () => {
    const env = { HANSARD_TERMINAL: 't', HANSARD_HOOK_KEY: 'k', HANSARD_HOOK_SOCKET: join(folder, 'nobody.sock') };
    expect(await runHook(['some', 'Stop'], env, '{}')).toEqual([0, '']);
    expect(await runHook(['some', 'Stop'], {}, '{}')).toEqual([0, '']);
  });

  test.each(HOOK_SOURCES)('as $agent is told to run it, through a shell, it is heard', async (source) => {
    const edit = addHooks('', source, COMMAND);
    const settings = JSON.parse(edit.ok ? edit.text : '') as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    const event = source.events[1]?.name ?? '';
    const command = settings.hooks[event]?.[0]?.hooks[0]?.command ?? '';
    const child = spawn('/bin/sh', ['-c', command], {
      env: door.admit('t1', 'secret'),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end('{"prompt":"go"}');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    expect(calls).toMatchObject([{ agent: source.agent, event, payload: { prompt: 'go' } }]);
  });
});

describe('the door of the hooks', () => {
  const head = (over: object = {}) =>
    `${JSON.stringify({ version: 1, terminal: 't1', key: 'secret', agent: 'a', event: 'e', ...over })}\n`;

  test('is open to this user alone', () => {
    expect(lstatSync(door.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(door.path, '..')).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['the key of another terminal', `${head({ terminal: 't2' })}{}`],
    ['a key that is longer', `${head({ key: 'secrets' })}{}`],
    ['no key', `${head({ key: undefined })}{}`],
    ['a terminal nobody knows', `${head({ terminal: 'x' })}{}`],
    ['another version', `${head({ version: 2 })}{}`],
    ['a payload that is torn', `${head()}{"a":`],
    ['a payload that is no object', `${head()}[1]`],
    ['no head', '{}'],
    ['nothing', ''],
    ['a head that never ends', 'x'.repeat(100_000)],
    ['more than is taken', Buffer.alloc(5 * 1024 * 1024, 120)],
  ])('refuses %s without harm', async (_, bytes) => {
    door.admit('t1', 'secret');
    door.admit('t2', 'other');
    await sendRaw(bytes);
    expect([calls, door.refused > 0]).toEqual([[], true]);
    await sendRaw(`${head()}{"still":"open"}`);
    expect(calls).toHaveLength(1);
  });

  test('a key is void once its shell has ended, or has been started again', async () => {
    door.admit('t1', 'secret');
    door.admit('t1', 'newer');
    await sendRaw(`${head()}{}`);
    door.forget('t1');
    await sendRaw(`${head({ key: 'newer' })}{}`);
    expect(calls).toEqual([]);
  });

  test('a hundred hooks at once are all heard', async () => {
    const env = door.admit('t1', 'secret');
    await Promise.all(Array.from({ length: 60 }, (_, at) => sendRaw(`${head({ event: `e${at}` })}{}`)));
    expect(new Set(calls.map(({ event }) => event)).size).toBe(60);
    expect(env.HANSARD_TERMINAL).toBe('t1');
  });

  test('what a killed core left is replaced, what somebody else put there is not', async () => {
    const other = join(root, `e${round}`);
    mkdirSync(join(other, 'run'), { recursive: true, mode: 0o700 });
    writeFileSync(join(other, 'run', 'hook.sock'), 'mine');
    await expect(HookServer.open(other)).rejects.toThrow('exists but is not a socket');
    await expect(HookServer.open(folder)).rejects.toThrow('in use');
  });
});

const THEIRS = {
  model: 'big',
  hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }], Own: [] },
  permissions: { allow: ['Bash(ls)'] },
};

describe.each(HOOK_SOURCES)("the hooks in $agent's settings", (source) => {
  const place = () => ({ home: folder, env: {} });
  const file = () => source.settingsFile(folder, {});
  const change = (isInstall: boolean, isDryRun = false) =>
    changeHooks(source.agent, place(), { command: isInstall ? COMMAND : null, isDryRun });
  const put = (text: string) => {
    mkdirSync(join(file(), '..'), { recursive: true });
    writeFileSync(file(), text, { mode: 0o640 });
  };

  test("stand beside the person's own, which stay as they are", async () => {
    put(JSON.stringify(THEIRS, null, 4));
    expect(await change(true)).toMatchObject({ ok: true, isChanged: true });
    const text = readFileSync(file(), 'utf8');
    const { hooks, ...others } = JSON.parse(text) as typeof THEIRS;
    expect(others).toEqual({ model: 'big', permissions: THEIRS.permissions });
    expect(hooks.Stop[0]).toEqual(THEIRS.hooks.Stop[0]);
    expect(text).toContain('\n    "model"');
    expect(statSync(file()).mode & 0o777).toBe(0o640);
    const report = (await hookReports(place())).find(({ agent }) => agent === source.agent);
    expect(report?.events).toHaveLength(report?.wanted ?? -1);
  });

  test('set twice are set once, and taken away leave the file byte for byte', async () => {
    const text = `${JSON.stringify(THEIRS)}  `;
    put(text);
    await change(true);
    expect(await change(true)).toMatchObject({ ok: true, isChanged: false });
    expect(await change(false)).toMatchObject({ ok: true, isChanged: true, backup: null });
    expect(readFileSync(file(), 'utf8')).toBe(text);
    expect(await change(false)).toMatchObject({ isChanged: false });
  });

  test('taken away after the person changed something leave that change', async () => {
    put(JSON.stringify(THEIRS));
    await change(true);
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('"big"', '"small"'));
    await change(false);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ ...THEIRS, model: 'small' });
  });

  test('make a file where there was none, and leave none', async () => {
    await change(true);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    await change(false);
    expect(() => statSync(file())).toThrow('ENOENT');
  });

  test.each([
    ['comments', '{ "a": 1 // why\n}'],
    ['a mistake', '{ "a": 1,, }'],
    ['a list', '[]'],
    ['hooks that are none', '{"hooks": "none"}'],
  ])('are not set in a file with %s, which stays', async (_, text) => {
    put(text);
    expect(await change(true)).toMatchObject({ ok: false });
    expect(readFileSync(file(), 'utf8')).toBe(text);
  });

  test('are only told of in a dry run', async () => {
    put('{}');
    expect(await change(true, true)).toMatchObject({ ok: true, isChanged: true });
    expect(readFileSync(file(), 'utf8')).toBe('{}');
  });

  test('go through a link, which stays', async () => {
    mkdirSync(join(folder, 'dotfiles'));
    writeFileSync(join(folder, 'dotfiles', 'settings'), '{}\n');
    mkdirSync(join(file(), '..'), { recursive: true });
    symlinkSync(join(folder, 'dotfiles', 'settings'), file());
    await change(true);
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'dotfiles', 'settings'), 'utf8')).toContain('HANSARD_HOOK_SOCKET');
  });
});

test('line ends and an entry of ours in a group of theirs are kept apart', () => {
  const [source] = HOOK_SOURCES;
  const added = source && addHooks('{\r\n\t"a": 1\r\n}\r\n', source, COMMAND);
  expect(added?.ok && added.text.startsWith('{\r\n\t"a": 1,\r\n\t"hooks"')).toBe(true);
  const mixed = { hooks: { Stop: [{ hooks: [{ command: 'theirs' }, { command: 'x $HANSARD_HOOK_SOCKET' }] }] } };
  const removed = removeHooks(JSON.stringify(mixed));
  expect(removed.ok && JSON.parse(removed.text)).toEqual({ hooks: { Stop: [{ hooks: [{ command: 'theirs' }] }] } });
});
