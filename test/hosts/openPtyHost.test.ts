import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPtyHost } from '../../src-main/hosts/openPtyHost.ts';
import { encodeFrame } from '../../src-main/ptyHost/protocol/frames.ts';
import { HOST_SOCKET } from '../../src-main/ptyHost/protocol/messages.ts';
import { socketPath } from '../../src-main/store/instance/privateSocket.ts';

/** A data folder whose PTY host meets each connection so. */
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

test('a folder without a host starts none where that is turned off', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-open-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  expect(await openPtyHost({ dataFolder, env: { HANSARD_PTY_HOST: 'off' } })).toEqual({
    ptyHost: undefined,
    refusal: null,
    obstacle: null,
  });
});
