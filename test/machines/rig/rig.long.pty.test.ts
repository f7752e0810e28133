import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { canMakeAccounts, findProgram, SSHD } from './findProgram.ts';
import { SshClient } from './SshClient.ts';
import { type BadLine, type ProxyOptions, startProxy } from './startProxy.ts';
import { type Sshd, type SshdOptions, startSshd } from './startSshd.ts';

const started: { dispose(): unknown }[] = [];
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.dispose();
});

async function machine(options: SshdOptions = {}): Promise<Sshd> {
  const client = options.client ?? new SshClient();
  if (!options.client) started.push(client);
  const sshd = await startSshd({ ...options, client });
  started.push(sshd);
  return sshd;
}

async function proxied(sshd: Sshd, options: Omit<ProxyOptions, 'port'> = {}): Promise<BadLine> {
  const proxy = await startProxy({ port: sshd.port, ...options });
  started.push(proxy);
  sshd.client.point(sshd.name, proxy.port);
  return proxy;
}

/** Runs `ssh NAME -- command` as a child process; `printed` is its output so far. */
function ssh(sshd: Sshd, command: string): { printed: () => string; ended: Promise<number | null> } {
  const child = sshd.start(command);
  let text = '';
  for (const pipe of [child.stdout, child.stderr])
    pipe.on('data', (data: Buffer) => {
      text += data.toString();
    });
  child.stdin.end();
  started.push({ dispose: () => child.kill('SIGKILL') });
  return { printed: () => text, ended: new Promise((resolve) => child.once('close', (code) => resolve(code))) };
}

describe.skipIf(SSHD === null)('a machine of the rig', () => {
  for (const shell of ['bash', 'dash', 'zsh', 'fish', 'tcsh'])
    test.skipIf(findProgram(shell) === null)(`logs in with ${shell}`, async () => {
      const sshd = await machine({ shell });
      const printed = `${sshd.home} ${findProgram(shell)}
${sshd.home}
`;
      expect(await sshd.run('echo "$HOME $SHELL"; pwd')).toBe(printed);
    });

  test('shares no home folder with a second one', async () => {
    const one = await machine();
    const two = await machine({ client: one.client, name: 'other' });
    one.write('mine/here.txt', 'one');
    expect([await one.run('cat mine/here.txt'), await two.run('cat mine/here.txt 2>/dev/null || echo absent')]).toEqual(
      ['one', 'absent\n'],
    );
  });

  test('has no Node, npm or Hansard where it is bare', async () => {
    const sshd = await machine({ isBare: true });
    expect(await sshd.run('for each in node npm hansard; do command -v $each || echo "no $each"; done')).toBe(
      'no node\nno npm\nno hansard\n',
    );
  });

  test.each([
    ['a key with a passphrase', { passphrase: 'correct horse' }, 'Permission denied'],
    ['an unknown host key', { isUnknown: true }, 'Host key verification failed'],
  ])('refuses %s where nobody can be asked', async (_, options, reason) => {
    const { printed, ended } = ssh(await machine(options), 'true');
    expect([await ended, printed()]).toEqual([255, expect.stringContaining(reason)]);
  });

  test('is reached through a jump host', async () => {
    const sshd = await machine({ isBehindJump: true });
    expect(await sshd.run('echo through')).toBe('through\n');
    sshd.client.point(`${sshd.name}-jump`, 1);
    await expect(sshd.run('echo through')).rejects.toThrow();
  });

  test.skipIf(!canMakeAccounts)('is another user who cannot read our files', async () => {
    const sshd = await machine({ account: 'other', shell: 'dash' });
    const [user, home, pwd] = (await sshd.run('id -un; echo $HOME; pwd')).split('\n');
    expect([user?.slice(0, 7), home, pwd]).toEqual(['hansard', sshd.home, sshd.home]);
    expect(await sshd.run(`cat ${sshd.client.knownHosts} 2>/dev/null || echo refused`)).toBe('refused\n');
  });
});

describe.skipIf(SSHD === null)('the bad line', () => {
  test('delays each way, and passes 2 MB unchanged', async () => {
    const sshd = await machine();
    await proxied(sshd, { delayMs: 20 });
    const startMs = performance.now();
    expect(await sshd.run('head -c 2000000 /dev/zero | tr "\\0" x')).toBe('x'.repeat(2_000_000));
    expect(performance.now() - startMs).toBeGreaterThan(200); // at least five round trips before the command runs
  });

  test('has no more bandwidth than it was given', async () => {
    const sshd = await machine();
    await proxied(sshd, { bytesPerSecond: 200_000 });
    const startMs = performance.now();
    expect(await sshd.run('head -c 200000 /dev/urandom')).not.toBe('');
    expect(performance.now() - startMs).toBeGreaterThan(1_000);
  });

  test('cuts what runs, and works again', async () => {
    const sshd = await machine();
    const proxy = await proxied(sshd);
    const running = ssh(sshd, 'echo ready; sleep 60');
    await expect.poll(running.printed).toContain('ready');
    proxy.goDown();
    expect(await running.ended).toBe(255);
    await expect(sshd.run('true')).rejects.toThrow();
    proxy.repair();
    expect(await sshd.run('echo back')).toBe('back\n');
  });

  test('dies half-open: nothing passes and nobody is notified', async () => {
    const sshd = await machine();
    const proxy = await proxied(sshd);
    const running = ssh(sshd, 'while :; do echo tick; sleep 0.02; done');
    await expect.poll(running.printed).toContain('tick\ntick');
    proxy.freeze();
    await new Promise((resolve) => setTimeout(resolve, 100)); // lets bytes in transit arrive
    const before = running.printed();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([running.printed(), proxy.connections]).toEqual([before, 1]);
    proxy.repair();
    expect(await running.ended).toBe(255);
  });

  test('cuts at random moments', async () => {
    const sshd = await machine();
    const proxy = await proxied(sshd, { cutsPerSecond: 5, random: () => 0.4 });
    const socket = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
    socket.resume(); // a socket with unread bytes does not close
    await new Promise((resolve) => socket.once('close', resolve));
    expect(proxy.connections).toBe(0);
  });
});
