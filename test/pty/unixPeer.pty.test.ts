import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdersOf, otherEnd, UnixPeers } from '../../src-main/pty/unixPeer.ts';

const LISTED = `
u_str ESTAB 0      0                      /tmp/a b/mcp.sock 108590 * 108589
u_str ESTAB 0      0                                      * 108589 * 108590
u_str ESTAB 0      0           @/tmp/108590 * 7/x.sock 1085 * 108590777
u_dgr ESTAB 0      0                                      * 10859 * 0
`;
const NAMED = `
u_str ESTAB 0      0                      /tmp/a b/mcp.sock 108590 * 108589 users:(("node",pid=10,fd=23))
u_str ESTAB 0      0                                      * 108589 * 108590 users:(("a,pid=1,fd=2",pid=31,fd=21),("sh",pid=30,fd=21))
u_str ESTAB 0      0                                      * 108591 * 108592
`;

test('the other end is known by the inode of this one, whatever its path says', () => {
  expect(['108590', '108589', '1085', '10859', '99'].map((inode) => otherEnd(LISTED, inode))).toEqual([
    '108589',
    '108590',
    '108590777',
    '0',
    null,
  ]);
});

test('holders are the processes behind the socket, and what a name makes look like one', () => {
  expect(['108589', '108590', '108591', '99'].map((inode) => holdersOf(NAMED, inode))).toEqual([
    [1, 30, 31],
    [10],
    [],
    [],
  ]);
});

/** A client in another process, whose name imitates the process list of `ss` with the id of another process. */
const CLIENT = `
const { writeFileSync } = require('node:fs');
writeFileSync('/proc/self/comm', ',pid=1,fd=2),("');
require('node:net').connect(process.argv[1]);
`;

test.runIf(process.platform === 'linux')(
  'the kernel tells who is at the other end, whatever that process claims or is called',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hansard-peer '));
    const server = createServer().listen(join(folder, 'a.sock'));
    await once(server, 'listening');
    const client = spawn(process.execPath, ['-e', CLIENT, join(folder, 'a.sock')]);
    const [socket] = await once(server, 'connection');
    const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
    const told = { type: 'process', pid: client.pid };
    const peers = new UnixPeers();
    const claims = [null, client.pid ?? 0, process.pid, 1, 2 ** 22 - 1];
    expect(await Promise.all(claims.map((claimed) => peers.find(fd, claimed)))).toEqual(claims.map(() => told));
    client.kill();
    await once(client, 'exit');
    expect(await peers.find(fd, client.pid ?? 0), 'nobody is there').not.toMatchObject({ type: 'process' });
    socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  },
);
