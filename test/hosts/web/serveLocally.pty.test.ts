import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectCore } from '../../../src-main/hosts/web/connectCore.ts';
import { CoreAddress } from '../../../src-main/hosts/web/coreAddress.ts';
import { Keys } from '../../../src-main/hosts/web/Keys.ts';
import { requestUrl } from '../../../src-main/hosts/web/requestUrl.ts';
import { otherListener, serveLocally } from '../../../src-main/hosts/web/serveLocally.ts';
import type { IDisposable } from '../../../src-main/util/Disposables.ts';
import { formatRequest, sendRaw, UPGRADE } from '../rawHttp.ts';
import { stubControl, stubCore } from '../stubCore.ts';

const keys = new Keys(() => Date.now());
let dataFolder: string;
let served: IDisposable | null = null;

beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'hansard-local-'));
});
afterEach(async () => {
  served?.dispose();
  served = null;
  await goneFromLoop();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Waits until closed handles have left the event loop, which takes some turns. */
async function goneFromLoop(): Promise<void> {
  const isLeft = (): boolean =>
    process.getActiveResourcesInfo().some((kind) => kind === 'PipeServerWrap' || kind === 'ProcessWrap');
  while (isLeft()) await new Promise((resolve) => setImmediate(resolve));
}

const serve = async (folder = dataFolder, url?: string): Promise<CoreAddress> => {
  served = await serveLocally({ core: stubCore(url), dataFolder: folder, keys, control: stubControl });
  return CoreAddress.parse(JSON.parse(readFileSync(join(folder, 'core.json'), 'utf8')));
};
const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

describe('the socket of the command line', () => {
  test('is reachable by this user alone, whatever the umask says', async () => {
    const umask = process.umask(0);
    const { socketPath } = await serve();
    process.umask(umask);
    expect([modeOf(socketPath), modeOf(dirname(socketPath)), modeOf(join(dataFolder, 'core.json'))]).toEqual([
      '600',
      '700',
      '600',
    ]);
  });

  test('leaves the umask as it was', async () => {
    const umask = process.umask();
    await serve();
    expect(process.umask()).toBe(umask);
  });

  test('gives a fresh address to whoever holds the token', async () => {
    const address = await serve(dataFolder, 'http://127.0.0.1:8/#fresh');
    expect(await requestUrl(address)).toEqual({
      ok: true,
      url: 'http://127.0.0.1:8/#fresh',
      publicOrigin: null,
      build: '',
    });
  });

  test('gives one of a core of an earlier version, which knows of no public address', async () => {
    const { publicOrigin: _, ...earlier } = stubControl.status();
    const control = { ...stubControl, status: () => earlier as ReturnType<typeof stubControl.status> };
    served = await serveLocally({ core: stubCore(), dataFolder, keys, control });
    const address = CoreAddress.parse(JSON.parse(readFileSync(join(dataFolder, 'core.json'), 'utf8')));
    expect(await requestUrl(address)).toMatchObject({ ok: true, publicOrigin: null, build: '' });
  });

  test.each([
    ['no token', {}, 401],
    ['a wrong token', { Authorization: 'Bearer wrong' }, 401],
    ['an empty token', { Authorization: 'Bearer ' }, 401],
    ['a browser', { Origin: 'http://127.0.0.1', Authorization: 'Bearer {TOKEN}' }, 403],
    ['the token', { Authorization: 'Bearer {TOKEN}' }, 101],
  ])('%s gets %#', async (_, headers: Record<string, string>, status) => {
    const { socketPath } = await serve();
    const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('{TOKEN}', keys.token)]);
    const answer = await sendRaw(
      { path: socketPath },
      formatRequest('GET /trpc', { ...UPGRADE, Host: 'local', ...Object.fromEntries(filled) }),
    );
    expect(answer.status).toBe(status);
  });

  test('a wrong token is a silent core to the asker', async () => {
    const address = await serve();
    expect(await requestUrl({ ...address, token: 'wrong' })).toEqual({ ok: false, reason: 'silent' });
  });

  test.each(['electron', 'machine'] as const)(
    '%s joins by it, may do what a window may, and nothing of what the command line may',
    async (front) => {
      const address = await serve();
      const cli = connectCore(address);
      const window = connectCore(address, front);
      try {
        expect((await cli.api.system.info.query()).frontend).toBe('cli');
        expect((await window.api.system.info.query()).frontend).toBe(front);
        const status = { origin: 'http://127.0.0.1:1/', connections: 2 };
        expect(await cli.api.system.status.query()).toMatchObject({ ...status, pid: process.pid, terminals: [] });
        const { newUrl, end, status: ask } = window.api.system;
        for (const asked of [newUrl.mutate(), end.mutate(), ask.query()])
          await expect(asked).rejects.toMatchObject({ data: { code: 'FORBIDDEN' } });
      } finally {
        cli.dispose();
        window.dispose();
      }
    },
  );

  test('is gone with its address when it is disposed', async () => {
    const { socketPath } = await serve();
    served?.dispose();
    expect([existsSync(socketPath), existsSync(join(dataFolder, 'core.json'))]).toEqual([false, false]);
  });

  test('takes the place of one whose process was killed', async () => {
    const path = join(dataFolder, 'run/core.sock');
    mkdirSync(dirname(path), { mode: 0o700 });
    await leaveDeadSocket(path);
    expect(lstatSync(path).isSocket()).toBe(true);
    const address = await serve();
    expect((await requestUrl(address)).ok).toBe(true);
  });

  test('never removes a file that is no socket', async () => {
    const path = join(dataFolder, 'run/core.sock');
    mkdirSync(dirname(path), { mode: 0o700 });
    writeFileSync(path, 'precious');
    await expect(serve()).rejects.toThrow('not a socket');
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });

  test('never takes a socket that somebody answers', async () => {
    const path = join(dataFolder, 'run/core.sock');
    mkdirSync(dirname(path), { mode: 0o700 });
    const other = createServer().listen(path);
    await new Promise((resolve) => other.once('listening', resolve));
    await expect(serve()).rejects.toThrow('in use');
    await new Promise((resolve) => other.close(resolve));
  });

  test('is not made in a folder that leads elsewhere', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'hansard-elsewhere-'));
    symlinkSync(elsewhere, join(dataFolder, 'run'));
    await expect(serve()).rejects.toThrow('symbolic link');
    rmSync(elsewhere, { recursive: true });
  });

  test('keeps its path short where the data folder is deep', async () => {
    const deep = join(dataFolder, 'd'.repeat(60), 'e'.repeat(60));
    mkdirSync(deep, { recursive: true, mode: 0o700 });
    const { socketPath } = await serve(deep);
    expect(Buffer.byteLength(socketPath)).toBeLessThanOrEqual(100);
    expect(modeOf(dirname(socketPath))).toBe('700');
    expect(await otherListener(deep)).toBe(socketPath);
    served?.dispose();
    expect(await otherListener(deep)).toBeNull();
    await leaveDeadSocket(socketPath);
    expect((await serve(deep)).socketPath).toBe(socketPath); // killed cores leave one folder together, not one each
    served?.dispose();
    rmSync(dirname(socketPath), { recursive: true });
  });
});

const isRoot = process.getuid?.() === 0;

describe('another user of this machine', () => {
  test('cannot connect to the socket, even where every folder above lets him through', async (context) => {
    if (!isRoot) context.skip('only root can become another user');
    const { socketPath } = await serve();
    for (const folder of [dataFolder, dirname(socketPath)]) chmodSync(folder, 0o755);
    expect(await connectAs(65_534, socketPath)).toBe('EACCES');
    chmodSync(dirname(socketPath), 0o700);
    expect(await connectAs(65_534, socketPath)).toBe('EACCES');
    expect(await connectAs(0, socketPath)).toBe('connected');
  });
});

/** The result of a connection to `path` by a process of user `uid`. */
function connectAs(uid: number, path: string): Promise<string> {
  const script = `const s = require('net').connect(${JSON.stringify(path)}, () => { process.stdout.write('connected'); s.destroy(); });
    s.on('error', (error) => process.stdout.write(error.code));`;
  return output(spawn('node', ['-e', script], { uid, gid: uid, stdio: ['ignore', 'pipe', 'inherit'] }));
}

/** Leaves a socket file whose listener was killed. */
async function leaveDeadSocket(path: string): Promise<void> {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'));`;
  await output(spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] }));
}

function output(child: ReturnType<typeof spawn>): Promise<string> {
  let text = '';
  child.stdout?.on('data', (data: Buffer) => {
    text += data.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
}
