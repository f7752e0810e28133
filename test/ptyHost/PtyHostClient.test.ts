import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PtyHostClient } from '../../src-main/ptyHost/client/PtyHostClient.ts';
import { encodeFrame } from '../../src-main/ptyHost/protocol/frames.ts';
import type { HeldTerminal, ToCore } from '../../src-main/ptyHost/protocol/messages.ts';
import { soon } from '../support/soon.ts';

const HELD: HeldTerminal = {
  ...{ id: 't1', pid: 1, cols: 80, rows: 24, nonce: 'n', note: '{}', start: 0, keep: 0, end: 3, nonceAt: [] },
  ...{ lostAt: 3, typed: {}, gaps: [], faults: {}, exit: null },
};

/** A host that answers each connection with these messages in one piece. */
async function hostSaying(messages: readonly ToCore[]): Promise<{ path: string; folder: string; sockets: Socket[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-client-'));
  const path = join(folder, 's');
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(Buffer.concat(messages.map((message) => encodeFrame(message)))));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { path, folder, sockets };
}

async function clientOf(path: string, answerWithinMs = 10_000): Promise<PtyHostClient> {
  const spawnHere = (): never => {
    throw new Error('no shell is started here');
  };
  const client = await PtyHostClient.start({ socketPath: path, key: '', launch: null, spawnHere, answerWithinMs });
  onTestFinished(() => client.dispose());
  return client;
}

/** Takes over the first shell and listens to it, as a terminal does. */
function adopted(client: PtyHostClient, folder: string): { heard: unknown[]; text: () => string } {
  const heard: unknown[] = [];
  let text = '';
  const [held] = client.held;
  if (!held) throw new Error('the host has a shell');
  const stretch = { from: held.keep, end: held.end, nonceAt: [], atMs: 1 };
  const shell = client.adopt(held, folder, [stretch]);
  shell.recorded?.onChunk(({ bytes, nonceAt }) => {
    text += Buffer.from(bytes).toString('latin1');
    heard.push(...nonceAt.map((at) => `nonce at ${at}`));
  });
  shell.recorded?.onFault(({ file, reason }) => heard.push(`${file}: ${reason}`));
  shell.recorded?.onGap(({ fromOffset, toOffset }) => heard.push(`gap ${fromOffset} to ${toOffset}`));
  shell.onExit(({ exitCode }) => heard.push(`exit ${exitCode}`));
  return { heard, text: () => text };
}

test('a shell that ends while a core starts is taken over with its last output, marks and end', async () => {
  const { path, folder } = await hostSaying([
    { type: 'welcome', version: 1, pid: 1, terminals: [HELD], note: null },
    { type: 'grew', id: 't1', end: 6, nonceAt: [4], atMs: 2 },
    { type: 'grew', id: 't1', end: 9, nonceAt: [], atMs: 3 },
    { type: 'exited', id: 't1', end: 9, exitCode: 7, signal: null },
  ]);
  writeFileSync(join(folder, 'output.raw'), 'abcdefghi');
  const { heard, text } = adopted(await clientOf(path), folder);
  await soon(() => heard).toEqual(['nonce at 4', 'exit 7']);
  expect(text()).toBe('abcdefghi');
});

test('what came before a core and what comes now are never one chunk: queries in the one are answered already', async () => {
  const { path, folder, sockets } = await hostSaying([
    { type: 'welcome', version: 1, pid: 1, terminals: [HELD], note: null },
    { type: 'grew', id: 't1', end: 6, nonceAt: [], atMs: 2 },
  ]);
  writeFileSync(join(folder, 'output.raw'), 'abcdefghi');
  const client = await clientOf(path);
  const [held] = client.held;
  if (!held) throw new Error('the host has a shell');
  const chunks: string[] = [];
  const shell = client.adopt(held, folder, [{ from: 0, end: 3, nonceAt: [], atMs: 1 }]);
  shell.pause();
  shell.recorded?.onChunk(({ bytes }) => chunks.push(Buffer.from(bytes).toString('latin1')));
  for (const end of [8, 9]) sockets[0]?.write(encodeFrame({ type: 'grew', id: 't1', end, nonceAt: [], atMs: 3 }));
  sockets[0]?.write(encodeFrame({ type: 'exited', id: 't1', end: 9, exitCode: 0, signal: null }));
  await soon(() => chunks).toEqual(['abc', 'defghi']);
});

test('a core that comes later hears of the disk’s faults and of what was lost before it', async () => {
  const gap = { type: 'gap', fromOffset: 1, toOffset: 2, reason: 'the disk is full', atMs: 1 } as const;
  const held = { ...HELD, gaps: [gap], faults: { 'output.times': 'read-only' } };
  const { path, folder } = await hostSaying([{ type: 'welcome', version: 1, pid: 1, terminals: [held], note: null }]);
  writeFileSync(join(folder, 'output.raw'), 'a\0c');
  const { heard } = adopted(await clientOf(path), folder);
  await soon(() => heard).toEqual(['output.times: read-only', 'gap 1 to 2']);
});

test('a shell whose host has gone before it was taken over has ended', async () => {
  const { path, folder, sockets } = await hostSaying([
    { type: 'welcome', version: 1, pid: 1, terminals: [HELD], note: null },
  ]);
  writeFileSync(join(folder, 'output.raw'), 'abc');
  const client = await clientOf(path);
  const troubles: string[] = [];
  client.onTrouble(({ text }) => troubles.push(text));
  for (const socket of sockets) socket.destroy();
  await soon(() => troubles).toEqual([expect.stringContaining('The PTY host ended')]);
  const { heard, text } = adopted(client, folder);
  await soon(() => heard).toEqual(['exit null']);
  expect(text()).toBe('abc');
});

test('what a host wrote before it was killed is read, also where it could not say so any more', async () => {
  const { path, folder, sockets } = await hostSaying([
    { type: 'welcome', version: 1, pid: 1, terminals: [HELD], note: null },
    { type: 'grew', id: 't1', end: 6, nonceAt: [], atMs: 2 },
  ]);
  writeFileSync(join(folder, 'output.raw'), 'abcdefghi');
  const { heard, text } = adopted(await clientOf(path), folder);
  await soon(text).toBe('abcdef');
  for (const socket of sockets) socket.destroy();
  await soon(() => heard).toEqual(['exit null']);
  expect(text()).toBe('abcdefghi');
});

test('a host that does not start a shell is named with its process, and one that does is not', async () => {
  const { path, folder, sockets } = await hostSaying([
    { type: 'welcome', version: 1, pid: 4711, terminals: [], note: null },
  ]);
  const client = await clientOf(path, 50);
  const troubles: unknown[] = [];
  client.onTrouble((trouble) => troubles.push(trouble));
  const sizes = { file: '/bin/sh', argv: [], cwd: '/', env: {}, cols: 80, rows: 24 };
  const open = (terminalId: string) =>
    client.spawn({ ...sizes, output: { terminalId, folder, offset: 0, nonce: 'n', note: '{}' } });
  open('answered');
  open('silent');
  sockets[0]?.write(encodeFrame({ type: 'opened', id: 'answered', pid: 1 }));
  await soon(() => troubles).toEqual([
    { terminalId: 'silent', text: expect.stringContaining('(process 4711) has not started a shell') },
  ]);
});
