import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Duplex, type Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MACHINE_PROTOCOL, type StdioHello } from '../../src-main/contract/machines.ts';
import { openRemoteApi } from '../../src-main/hosts/web/openRemoteApi.ts';
import { readHello } from '../../src-main/machines/ssh/readHello.ts';
import { acquireLock } from '../../src-main/store/instance/lockFile.ts';
import { socketPath } from '../../src-main/store/instance/privateSocket.ts';
import { cliEnv, ended, finished, runOnTerminal } from '../cli/runCli.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { CLI } from '../support/builtProgram.ts';

/** Starts `hansard serve --stdio` and returns the process with its pipes. */
function serveStdio(home: string, ...more: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [CLI, 'serve', '--stdio', ...more], { env: cliEnv({ home }) });
}

function helloOf(child: ChildProcessWithoutNullStreams): Promise<StdioHello> {
  return readHello(child.stdout, new AbortController().signal);
}

async function ready(home: string): Promise<{ child: ChildProcessWithoutNullStreams; token: string }> {
  const child = serveStdio(home, String(MACHINE_PROTOCOL));
  const hello = await helloOf(child);
  if (hello.type !== 'ready') throw new Error(JSON.stringify(hello));
  expect(hello).toMatchObject({ protocol: MACHINE_PROTOCOL, version: '0.1.0' });
  return { child, token: hello.token };
}

const MB = 1024 ** 2;

/** Reads the next `bytes` bytes of a stream. */
async function take(from: Readable, bytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let left = bytes; left > 0; ) {
    const piece = from.read() as Buffer | null;
    if (piece === null) await once(from, 'readable');
    else {
      pieces.push(piece);
      left -= piece.length;
    }
  }
  return Buffer.concat(pieces);
}

const core = new BackgroundCore();
beforeAll(async () => {
  const { child } = await ready(core.home); // starts the core
  child.stdin.end();
  await ended(child);
});
afterAll(() => core.dispose());

describe('serve --stdio', () => {
  test('leaves the core that it has started running', () => {
    expect(core.pid).not.toBe(0);
  });

  test("carries the API, with a window's rights and none of the command line's", async () => {
    const { child, token } = await ready(core.home);
    const api = openRemoteApi(Duplex.from({ writable: child.stdin, readable: child.stdout }), token);
    expect(await api.call('query', 'system.info', undefined)).toMatchObject({ frontend: 'machine' });
    expect((await core.status()).connections).toBe(2); // this connection and that of `status`
    for (const [type, path] of [
      ['query', 'system.status'],
      ['mutation', 'system.end'],
      ['mutation', 'system.newUrl'],
    ] as const)
      await expect(api.call(type, path, undefined)).rejects.toMatchObject({ data: { code: 'FORBIDDEN' } });
    const closed = ended(child);
    api.dispose();
    expect(await closed).toEqual([0, null]);
    expect((await core.status()).connections).toBe(1);
  });

  test('ends when ssh is killed, without a word, and the core runs on', async () => {
    const { child } = await ready(core.home);
    let said = '';
    child.stderr.on('data', (data: Buffer) => {
      said += data.toString();
    });
    const closed = ended(child);
    for (const pipe of [child.stdin, child.stdout]) pipe.destroy();
    expect([await closed, said, core.pid === 0]).toEqual([[0, null], '', false]);
  });

  test('waits for each side that is slow, and loses nothing either way', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hansard-stdio-'));
    const lock = acquireLock(folder);
    if (!lock.ok) throw new Error('locked');
    const path = socketPath(folder, 'core.sock');
    mkdirSync(dirname(path), { recursive: true });
    const [down, up] = [randomBytes(32 * MB), randomBytes(4 * MB)];
    const served = createServer({ allowHalfOpen: true }).listen(path);
    const address = {
      version: 1,
      pid: process.pid,
      socketPath: path,
      token: 'x'.repeat(16),
      machineProtocol: MACHINE_PROTOCOL,
    };
    writeFileSync(join(folder, 'core.json'), JSON.stringify(address));
    const child = serveStdio(folder);
    const [socket] = (await once(served, 'connection')) as [Socket];
    await helloOf(child);
    socket.write(down);
    child.stdin.write(up);
    await new Promise((resolve) => setTimeout(resolve, 500)); // long enough to read either side to its end
    expect([socket.bytesWritten - socket.writableLength < 4 * MB, child.stdin.writableLength > 2 * MB]).toEqual([
      true,
      true,
    ]);
    const [got, sent] = await Promise.all([take(child.stdout, down.length), take(socket, up.length)]);
    expect([got.equals(down), sent.equals(up)]).toEqual([true, true]);
    socket.destroy();
    await ended(child);
    served.close();
    lock.release();
    rmSync(folder, { recursive: true });
  });

  test('says which protocol the running core speaks, not its own', async () => {
    const path = join(core.home, 'core.json');
    const before = readFileSync(path, 'utf8');
    try {
      writeFileSync(path, JSON.stringify({ ...JSON.parse(before), machineProtocol: 7, appVersion: '9.9.9' }));
      const newer = serveStdio(core.home);
      expect(await helloOf(newer)).toMatchObject({ type: 'ready', protocol: 7, version: '9.9.9' });
      newer.kill();
      const { machineProtocol: _, appVersion: __, ...old } = JSON.parse(before) as Record<string, unknown>;
      writeFileSync(path, JSON.stringify(old));
      const older = serveStdio(core.home);
      expect(await helloOf(older)).toMatchObject({ type: 'ready', protocol: 0 });
      older.kill();
    } finally {
      writeFileSync(path, before);
    }
  });

  test('speaks no other protocol: a usage error, and not a byte on stdout', async () => {
    const { code, stdout, stderr } = await finished(serveStdio(core.home, '99'));
    expect([code, stdout, stderr]).toEqual([64, '', expect.stringContaining(`speaks protocol ${MACHINE_PROTOCOL}`)]);
  });

  test('says in its only line why no core can start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hansard-stdio-'));
    const home = join(folder, 'file');
    writeFileSync(home, '');
    const child = serveStdio(home);
    child.stdin.end();
    const { code, stdout } = await finished(child);
    rmSync(folder, { recursive: true });
    expect(stdout).toMatch(/^HANSARD-STDIO \{"type":"failed","reason":"the record has no place: [^\n]*\n$/);
    expect(code).toBe(1);
  });

  test('gives no token to a terminal', async () => {
    const { code, text } = await runOnTerminal(['serve', '--stdio'], { home: core.home });
    expect([code, text.includes('"token"')]).toEqual([1, false]);
  });

  test('ends with the core', async () => {
    const { child } = await ready(core.home);
    child.stdout.resume();
    const closed = ended(child);
    await core.run('serve', 'stop', '--force');
    expect(await closed).toEqual([0, null]);
  });
});
