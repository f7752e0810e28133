import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPtyHost } from '../../src-main/hosts/openPtyHost.ts';
import { encodeFrame } from '../../src-main/ptyHost/protocol/frames.ts';
import { folderKey, hostFilePath } from '../../src-main/ptyHost/protocol/hostFile.ts';
import { HOST_SOCKET } from '../../src-main/ptyHost/protocol/messages.ts';
import { processStart } from '../../src-main/store/files/processIdentity.ts';
import { socketPath } from '../../src-main/store/instance/privateSocket.ts';

/** A data folder whose PTY host answers each connection by `meet`. */
async function folderWithHost(meet: (socket: Socket) => void): Promise<string> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-open-'));
  const path = socketPath(dataFolder, HOST_SOCKET);
  mkdirSync(dirname(path), { recursive: true });
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    meet(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(dataFolder, { recursive: true, force: true });
  });
  return dataFolder;
}

test.each([
  ['speaks other versions', (socket: Socket) => socket.end(encodeFrame({ type: 'unserved', versions: [99] })), '(99)'],
  ['does not answer', () => undefined, 'did not answer'],
  ['is no PTY host', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'did not answer'],
])('no core starts beside a host that %s, because its shells may write the record', async (_, meet, reason) => {
  const dataFolder = await folderWithHost((socket) => void meet(socket));
  const opened = await openPtyHost({ dataFolder, env: { HANSARD_PTY_HOST: 'off' }, answerWithinMs: 200 });
  expect(opened).toMatchObject({ ptyHost: undefined, refusal: null, obstacle: expect.stringContaining(reason) });
});

/** Writes the host file as a PTY host in this process would. */
function announceHost(dataFolder: string, path: string, folder = folderKey(dataFolder)): void {
  mkdirSync(dirname(hostFilePath(dataFolder)), { recursive: true });
  const host = { pid: process.pid, start: processStart(process.pid), socketPath: path, folder };
  writeFileSync(hostFilePath(dataFolder), JSON.stringify(host));
}

test('a host that listens elsewhere, as of a session with other runtime files, is found by what it wrote', async () => {
  const listening = await folderWithHost((socket) => socket.end(encodeFrame({ type: 'unserved', versions: [99] })));
  const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-open-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  announceHost(dataFolder, socketPath(listening, HOST_SOCKET));
  const { obstacle } = await openPtyHost({ dataFolder, env: {} });
  expect(obstacle).toContain(`the PTY host (process ${process.pid}) runs but cannot be used (it speaks other versions`);
});

test('no core starts beside a host that runs and whose socket is gone', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-open-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  announceHost(dataFolder, join(dataFolder, 'run/gone.sock'));
  const { ptyHost, obstacle } = await openPtyHost({ dataFolder, env: {} });
  expect([ptyHost, obstacle]).toEqual([undefined, expect.stringContaining(`kill -9 ${process.pid}`)]);
});

test('a copy of a data folder has no host, although that of the original runs', async () => {
  const original = await folderWithHost(() => undefined);
  const copy = mkdtempSync(join(tmpdir(), 'hansard-open-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  announceHost(copy, socketPath(original, HOST_SOCKET), folderKey(original));
  expect((await openPtyHost({ dataFolder: copy, env: { HANSARD_PTY_HOST: 'off' } })).obstacle).toBeNull();
});

test('a folder without a host starts none where that is turned off', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-open-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  expect(await openPtyHost({ dataFolder, env: { HANSARD_PTY_HOST: 'off' } })).toEqual({
    ptyHost: undefined,
    refusal: null,
    obstacle: null,
  });
});
