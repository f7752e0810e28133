import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MACHINE_PROTOCOL, type StdioHello } from '../../src-main/contract/machines.ts';
import { type InstallOptions, installServer, removeServer } from '../../src-main/machines/setup/installServer.ts';
import { remoteCommand } from '../../src-main/machines/setup/remoteCommand.ts';
import { readHello } from '../../src-main/machines/ssh/readHello.ts';
import { SmallDisk } from '../support/SmallDisk.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { canMakeAccounts, findProgram, SSHD } from './rig/findProgram.ts';
import { SshClient } from './rig/SshClient.ts';
import { startProxy } from './rig/startProxy.ts';
import { type Sshd, type SshdOptions, startSshd } from './rig/startSshd.ts';

const VERSION = '0.1.0';
const started: { dispose(): unknown }[] = [];
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.dispose();
});

async function machine(options: SshdOptions = {}): Promise<Sshd> {
  const client = new SshClient();
  started.push(client);
  const sshd = await startSshd({ isBare: true, ...options, client });
  started.push(sshd);
  return sshd;
}

/** Runs our remote command by ssh and returns the machine's answer. `end` closes the pipe and resolves when ssh has ended. */
async function reach(sshd: Sshd, version = VERSION): Promise<{ hello: StdioHello; end: () => Promise<void> }> {
  const child = sshd.start(remoteCommand(version));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const hello = await readHello(child.stdout, new AbortController().signal);
  child.stdout.resume();
  const end = (): Promise<void> => {
    child.stdin.end();
    return closed;
  };
  return { hello, end };
}

/** A small installation that packs fast; its `resources/bin/hansard` runs a shell script in place of Node. */
class SmallInstallation {
  readonly root = mkdtempSync(join(tmpdir(), 'hansard-small-'));

  constructor({ extraBytes = 0, node = `echo ${VERSION}` }: { extraBytes?: number; node?: string } = {}) {
    const write = (path: string, text: string | Buffer, mode = 0o644): void => {
      mkdirSync(join(this.root, path, '..'), { recursive: true });
      writeFileSync(join(this.root, path), text, { mode });
    };
    write(
      'package.json',
      JSON.stringify({
        version: VERSION,
        files: ['out/**', '!out/**/*.map', 'resources/bin'],
        dependencies: { 'node-pty': '1' },
      }),
    );
    write('out/main/cli.js', randomBytes(extraBytes));
    write('out/main/cli.js.map', 'left out');
    write('node_modules/node-pty/package.json', '{}');
    write('node_modules/node-pty/prebuilds/win32-x64/pty.node', 'left out');
    write(`node_modules/node-pty/prebuilds/${process.platform}-${process.arch}/pty.node`, 'sent');
    write('node/bin/node', `#!/bin/sh\n${node}\n`, 0o755);
    write('resources/bin/hansard', readFileSync(join(ROOT, 'resources/bin/hansard')), 0o755);
    started.push(this);
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function install(sshd: Sshd, root: string, more: Partial<InstallOptions> = {}): Promise<void> {
  const { signal } = new AbortController();
  return installServer({
    run: (...asked) => sshd.exec(...asked),
    root,
    version: VERSION,
    onProgress: () => undefined,
    signal,
    ...more,
  });
}

/** Names of the copies on the machine. */
function copies(sshd: Sshd, data = join(sshd.home, '.local/share')): string[] {
  const folder = join(data, 'hansard/server');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

const MISSING = { type: 'missing', system: 'Linux', libc: 'glibc' };

describe.skipIf(SSHD === null)('the command that reaches Hansard on another machine', () => {
  for (const shell of ['bash', 'dash', 'zsh', 'fish', 'tcsh'])
    test.skipIf(findProgram(shell) === null)(`finds none and one through ${shell}`, async () => {
      const sshd = await machine({ shell });
      const first = await reach(sshd);
      expect(first.hello).toMatchObject({ ...MISSING, version: null });
      await first.end();
      sshd.installHansard();
      const second = await reach(sshd);
      expect(second.hello).toMatchObject({ type: 'ready', protocol: MACHINE_PROTOCOL, version: VERSION });
      await second.end();
      expect(sshd.corePid).not.toBe(0);
    });

  test('is understood behind what .bashrc prints', async () => {
    const sshd = await machine();
    sshd.write('.bashrc', 'echo "Welcome to box"; printf "no newline"; echo; echo HANSARD-STDIO-like words >&2\n');
    sshd.installHansard();
    const { hello, end } = await reach(sshd);
    expect(hello.type).toBe('ready');
    await end();
  });

  test('is understood on the line that .bashrc has begun, and so is the set-up', async () => {
    const sshd = await machine();
    sshd.write('.bashrc', 'printf "\\033]0;box\\007Welcome: "\n');
    const { hello, end } = await reach(sshd);
    expect(hello).toMatchObject(MISSING);
    await end();
    await install(sshd, new SmallInstallation().root);
    expect(copies(sshd)).toEqual([VERSION]);
    await removeServer({ run: (...asked) => sshd.exec(...asked) });
    expect(copies(sshd)).toEqual([]);
  });

  test.each([
    ['older', 'case "$2" in --stdio) echo "error: unknown option" >&2; exit 64 ;; *) echo 0.0.9 ;; esac'],
    ['newer', `case "$3" in ${MACHINE_PROTOCOL}) exit 64 ;; *) echo 0.0.9 ;; esac`],
    ['broken', 'case "$2" in --stdio) exit 127 ;; *) echo 0.0.9 ;; esac'],
  ])('names one that it cannot use since it is %s, and takes the next one', async (_, script) => {
    const sshd = await machine();
    sshd.write('.local/bin/hansard', `#!/bin/sh\n${script}\n`, 0o755);
    const first = await reach(sshd);
    expect(first.hello).toMatchObject({ ...MISSING, version: '0.0.9' });
    await first.end();
    sshd.installHansard('.npm-global/bin/hansard');
    const second = await reach(sshd);
    expect(second.hello).toMatchObject({ type: 'ready' });
    await second.end();
  });

  test('keeps the connection of a bare machine open for the set-up', async () => {
    const sshd = await machine();
    const child = sshd.start(remoteCommand(VERSION));
    const closed = new Promise((resolve) => child.once('close', resolve));
    expect(await readHello(child.stdout, new AbortController().signal)).toMatchObject(MISSING);
    expect(await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500, 'open'))])).toBe('open');
    child.stdin.end();
    expect(await closed).toBe(0);
  });
});

describe.skipIf(SSHD === null)('the set-up of a bare machine', () => {
  let sshd: Sshd;
  const client = new SshClient();
  const progress: number[] = [];
  beforeAll(async () => {
    sshd = await startSshd({ client, isBare: true, shell: 'fish', account: canMakeAccounts ? 'other' : 'same' });
    await install(sshd, ROOT, { onProgress: (percent) => progress.push(percent) });
  });
  afterAll(async () => {
    await sshd.dispose();
    client.dispose();
  });

  test('copies a Hansard that serves with its own Node', async () => {
    const { hello, end } = await reach(sshd);
    expect(hello).toMatchObject({ type: 'ready', version: VERSION });
    await end();
    const node = join(sshd.home, `.local/share/hansard/server/${VERSION}/node/bin/node`);
    expect(await sshd.run(`readlink /proc/${sshd.corePid}/exe`)).toBe(`${node}\n`);
    expect([copies(sshd), progress.at(0), progress.at(-1)]).toEqual([[VERSION], 0, 100]);
  });

  test('opens a shell there', async () => {
    const command = join(sshd.home, `.local/share/hansard/server/${VERSION}/bin/hansard`);
    expect(await sshd.run(`${command} record -- sh -c "echo from the copy"`)).toContain('from the copy');
  });

  test('replaces no copy that a core runs from', async () => {
    await expect(install(sshd, new SmallInstallation().root)).rejects.toThrow(/of this version runs there/);
    expect(copies(sshd)).toEqual([VERSION]);
  });

  test('keeps an older copy that a core runs from, and removes another', async () => {
    await sshd.run('mkdir -p ~/.local/share/hansard/server/0.0.1/bin');
    const { root } = new SmallInstallation({ node: 'echo 0.2.0' });
    await install(sshd, root, { version: '0.2.0' });
    expect(copies(sshd)).toEqual([VERSION, '0.2.0']);
  });

  test('is removed with all that was copied, once no core runs from it', async () => {
    const run: InstallOptions['run'] = (...asked) => sshd.exec(...asked);
    await removeServer({ run });
    expect([copies(sshd), sshd.corePid]).toEqual([[], 0]);
    await removeServer({ run }); // does nothing when nothing is installed
  });
});

describe.skipIf(SSHD === null)('a set-up that fails', () => {
  test('says that the disk is full, and leaves nothing', async ({ skip }) => {
    const disk = new SmallDisk(2 * 1024 ** 2);
    started.push(disk);
    skip(!disk.isMounted, 'this machine does not let us mount');
    const sshd = await machine({ env: { XDG_DATA_HOME: disk.path } });
    const { root } = new SmallInstallation({ extraBytes: 4 * 1024 ** 2 });
    await expect(install(sshd, root)).rejects.toThrow(/could not be written \(.*No space left.*npm i -g/);
    expect(copies(sshd, disk.path)).toEqual([]);
  });

  test('says that the disk is full when there is room for the copy and not for its files', async ({ skip }) => {
    const disk = new SmallDisk(6 * 1024 ** 2);
    started.push(disk);
    skip(!disk.isMounted, 'this machine does not let us mount');
    const sshd = await machine({ env: { XDG_DATA_HOME: disk.path } });
    const { root } = new SmallInstallation({ extraBytes: 4 * 1024 ** 2 });
    await expect(install(sshd, root)).rejects.toThrow(/could not be unpacked \(.*No space left/);
    expect(copies(sshd, disk.path)).toEqual([]);
  });

  test.skipIf(!canMakeAccounts)('says that a folder cannot be made', async () => {
    const sshd = await machine({ account: 'other' });
    await sshd.run('mkdir -p .local/share/hansard && chmod 500 .local/share/hansard');
    await expect(install(sshd, new SmallInstallation().root)).rejects.toThrow(
      /folder could not be made \(.*Permission denied/,
    );
  });

  test('leaves nothing when the line is cut in the middle', async () => {
    const sshd = await machine();
    const proxy = await startProxy({ port: sshd.port, bytesPerSecond: 1_000_000 });
    started.push(proxy);
    sshd.client.point(sshd.name, proxy.port);
    const { root } = new SmallInstallation({ extraBytes: 2 * 1024 ** 2 });
    const installing = install(sshd, root, { onProgress: (percent) => percent > 50 && proxy.cut() });
    await expect(installing).rejects.toThrow(/connection was lost during the copy/);
    await expect.poll(() => copies(sshd)).toEqual([]);
  });

  test('says that the copy does not start', async () => {
    const sshd = await machine();
    const { root } = new SmallInstallation({ node: 'echo "node: not for this machine" >&2; exit 1' });
    await expect(install(sshd, root)).rejects.toThrow(/does not start there \(node: not for this machine\)/);
    expect(copies(sshd)).toEqual([]);
  });

  test('keeps the copy in place that another set-up would have replaced', async () => {
    const sshd = await machine();
    await install(sshd, new SmallInstallation().root);
    const broken = install(sshd, new SmallInstallation({ node: 'exit 1' }).root);
    await expect(broken).rejects.toThrow(/does not start/);
    expect(await sshd.run(`~/.local/share/hansard/server/${VERSION}/bin/hansard`)).toBe(`${VERSION}\n`);
  });

  test('sends what runs and nothing else', async () => {
    const sshd = await machine();
    await install(sshd, new SmallInstallation().root);
    const files = await sshd.run(`cd ~/.local/share/hansard/server/${VERSION} && find . -not -type d`);
    expect(files.trim().split('\n').sort()).toEqual([
      './bin/hansard',
      './node/bin/node',
      './node_modules/node-pty/package.json',
      `./node_modules/node-pty/prebuilds/${process.platform}-${process.arch}/pty.node`,
      './out/main/cli.js',
      './package.json',
      './resources/bin/hansard',
    ]);
  });
});
