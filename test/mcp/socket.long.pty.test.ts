import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Notice } from '../../src-main/contract/notice.ts';
import { connectTo } from '../support/coreClient.ts';
import { ServedApp } from '../support/WebApp.ts';
import { call, connectClient, connectSocket, endpointOf, refusal } from './mcpClient.ts';

const app = new ServedApp();

beforeAll(async () => {
  await app.start();
}, 60_000);

afterAll(() => app.dispose());

/** Sends bytes on a new connection and resolves with the answer when the connection closes, or after `quietMs` without data. */
async function say(bytes: string | Buffer, quietMs = 4000): Promise<{ answer: string; isClosed: boolean }> {
  const socket = createConnection(endpointOf(app.home).socketPath);
  return listen(socket, bytes, quietMs);
}

function listen(
  socket: Socket,
  bytes: string | Buffer,
  quietMs: number,
): Promise<{ answer: string; isClosed: boolean }> {
  return new Promise((resolve) => {
    let answer = '';
    const done = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answer, isClosed });
    };
    const timer = setTimeout(() => done(false), quietMs);
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (answer.includes('\n')) done(false);
    });
    socket.on('close', () => done(true));
    socket.on('error', () => done(true));
    socket.write(bytes);
  });
}

const PING = '{"jsonrpc":"2.0","id":7,"method":"ping"}\n';

test('the socket and the file that names it are this user alone', () => {
  const { socketPath } = endpointOf(app.home);
  expect(statSync(socketPath).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(socketPath)).mode & 0o777).toBe(0o700);
  expect(statSync(join(app.home, 'run', 'endpoint.json')).mode & 0o777).toBe(0o600);
  expect(endpointOf(app.home).token).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['no preface but MCP at once', PING],
  ['a wrong token', `{"token":"${'0'.repeat(64)}"}\n${PING}`],
  ['a token of another length', `{"token":"00"}\n${PING}`],
  ['a token that is no string', `{"token":5}\n${PING}`],
  ['no JSON', `hello\n${PING}`],
  ['JSON that is no object', `[]\n${PING}`],
  ['an HTTP request', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  ['a preface without an end', `{"token":"${'x'.repeat(5000)}`],
  ['a preface that is too long', `{"token":"${'x'.repeat(5000)}"}\n`],
  ['invalid UTF-8', Buffer.from([0xff, 0xfe, 0x0a])],
])('%s is hung up on without a word', async (_, bytes) => {
  expect(await say(bytes)).toEqual({ answer: '', isClosed: true });
});

test('a preface that does not come in two seconds is not waited for', async () => {
  expect(await say('{"token":', 6000)).toEqual({ answer: '', isClosed: true });
});

test('what follows the preface in the same piece is answered', async () => {
  const { token } = endpointOf(app.home);
  const { answer } = await say(`${JSON.stringify({ token })}\n${PING}`);
  expect(JSON.parse(answer)).toMatchObject({ id: 7, result: {} });
});

test.each([
  ['half JSON', '{"jsonrpc":"2.0","id":1,"meth\n'],
  ['two requests with one id', PING + PING],
  [
    'a name of Object.prototype',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{"__proto__":{"a":1}}}}\n',
  ],
  [
    '10,000 levels of nesting',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pty_list","arguments":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}}\n`,
  ],
  ['a line of 11 MB', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'y'.repeat(11 * 1024 * 1024)}"}}\n`],
  [
    'invalid UTF-8',
    Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), Buffer.from([0xff]), Buffer.from('"}\n')]),
  ],
])('%s harms nobody else', async (_, bytes) => {
  const socket = await connectSocket(app.home);
  await listen(socket, bytes, 1500);
  const other = await connectClient(app.home);
  expect(await call(other.client, 'pty_list')).toMatchObject({ ptys: [] });
  await other.close();
});

test('connections that come and go leave nothing behind', async () => {
  // Sockets alone: the core opens and closes files meanwhile.
  const open = (): number =>
    execFileSync('ls', ['-l', `/proc/${app.pid}/fd`], { encoding: 'utf8' }).split('socket:').length;
  const before = open();
  for (let round = 0; round < 20; round++) {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connectSocket(app.home)));
    for (const socket of sockets) socket.destroy();
  }
  // The core finds out who each of the 400 was, which takes 25 ms each where ten other programs run.
  await expect.poll(open, { timeout: 60_000 }).toBeLessThanOrEqual(before + 2);
});

test.runIf(process.getuid?.() === 0)('another user cannot connect, and cannot read where to', () => {
  const { socketPath } = endpointOf(app.home);
  const script = `require('net').connect(${JSON.stringify(socketPath)}).on('connect',()=>{console.log('in');process.exit(0)}).on('error',(e)=>{console.log(e.code);process.exit(0)})`;
  const as = (...argv: string[]): string =>
    execFileSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', ...argv], { encoding: 'utf8' });
  const probe = join('/tmp', `hansard-probe-${process.pid}.cjs`);
  mkdirSync(dirname(probe), { recursive: true });
  writeFileSync(probe, script, { mode: 0o644 });
  expect(as(process.execPath, probe).trim()).toBe('EACCES');
  expect(() => as('cat', join(app.home, 'run', 'endpoint.json'))).toThrow(/Permission denied/);
});

test('a policy that cannot be used hides everything, and the person is told', async () => {
  const path = join(app.home, 'policy.json');
  const { client, close } = await connectClient(app.home);
  const link = connectTo(app.home);
  const told: Notice[] = [];
  link.api.system.onNotice.subscribe(undefined, { onData: (notice) => told.push(notice) });
  const { id } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  expect((await call(client, 'pty_list')).ptys).toHaveLength(1);
  expect(await call(client, 'pty_whoami')).toMatchObject({ scopes: ['observe'] });
  writeFileSync(path, '{"version": 1, "clients": {"*": {"scopes": ["exec"]}},\n}x', { mode: 0o600 });
  expect((await call(client, 'pty_list')).ptys).toEqual([]);
  expect(await refusal(client, 'pty_snapshot', { pty_id: id })).toMatchObject({ code: 'PTY_NOT_FOUND' });
  await expect.poll(() => told.find(({ key }) => key === 'policy')?.text).toContain('policy.json:2:');
  writeFileSync(path, '{"version": 1, "clients": {"test-client": {"scopes": ["exec"]}}}', { mode: 0o600 });
  expect((await call(client, 'pty_whoami')).scopes).toEqual(['observe', 'suggest', 'exec']);
  await expect.poll(() => told.findLast(({ key }) => key === 'policy')?.cleared).toBe(true);
  writeFileSync(path, `{"ptys": {"private": ["id:${id}"]}}`, { mode: 0o600 });
  expect((await call(client, 'pty_list')).ptys).toEqual([]);
  expect((await call(client, 'blocks_since')).blocks).toEqual([]);
  link.dispose();
  await close();
});
