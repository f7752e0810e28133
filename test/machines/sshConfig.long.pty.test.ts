import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { SSHD } from './rig/findProgram.ts';
import { SshClient } from './rig/SshClient.ts';
import { type Sshd, startSshd } from './rig/startSshd.ts';

describe.skipIf(SSHD === null)('a config that a person has for a host', () => {
  const client = new SshClient();
  const config = join(client.home, '.ssh/config');
  const taken: Server = createServer();
  let sshd: Sshd;
  let here: BackgroundCore;
  let plain = '';

  beforeAll(async () => {
    sshd = await startSshd({ client });
    sshd.installHansard();
    sshd.write('.bashrc', "printf 'Welcome to box: '\n");
    here = new BackgroundCore(client.env);
    plain = readFileSync(config, 'utf8');
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  });

  afterAll(async () => {
    taken.close();
    await here?.dispose();
    await sshd?.dispose();
    client.dispose();
  });

  const port = (): string => {
    const address = taken.address();
    return typeof address === 'object' && address !== null ? String(address.port) : '';
  };

  test.each([
    ['a terminal and a command', 'RequestTTY force\nRemoteCommand tmux attach'],
    ['a shared connection', 'ControlMaster auto\nControlPath HOME/shared\nControlPersist 60'],
    [
      'ports, one of them taken, and sockets',
      'LocalForward PORT 127.0.0.1:80\nLocalForward HOME/made HOME/there\nExitOnForwardFailure yes',
    ],
    ['a command of this machine', 'PermitLocalCommand yes\nLocalCommand touch HOME/made'],
    ['a condition that is a command', 'Match exec "echo loud; true"\nLogLevel DEBUG3\nVisualHostKey yes'],
  ])('with %s is connected, and nothing of it happens', async (_, lines) => {
    const own = lines.replaceAll('HOME', client.home).replaceAll('PORT', port());
    writeFileSync(config, `Host box\n${own}\n${plain}`);
    expect(await here.run('ssh', 'box')).toMatchObject({ code: 0, stderr: expect.stringMatching(/Connected to box/) });
    expect([existsSync(join(client.home, 'made')), existsSync(join(client.home, 'shared'))]).toEqual([false, false]);
    expect((await here.run('hosts', 'disconnect', 'box')).code).toBe(0);
  });

  test('does not keep a port there from being forwarded, and from being given back', async () => {
    taken.on('connection', (socket) => socket.end('from there'));
    writeFileSync(config, `Host box\nLocalForward ${port()} 127.0.0.1:80\nControlMaster auto\n${plain}`);
    expect((await here.run('ssh', 'box')).code).toBe(0);
    const { api, dispose } = connectTo(here.home);
    const [{ key }] = (JSON.parse((await here.run('hosts', '--json')).stdout) as { hosts: [{ key: string }] }).hosts;
    const forwarded = await api.machine.forward.mutate({ key, port: Number(port()) });
    const { localPort } = forwarded.ok ? forwarded : { localPort: 0 };
    expect(['0', port()]).not.toContain(String(localPort)); // that port is taken here
    const said = (): Promise<string> => text(connect(localPort, '127.0.0.1'));
    expect(await said()).toBe('from there');
    expect(await api.machine.unforward.mutate({ key, port: Number(port()) })).toEqual({ ok: true });
    await expect(said()).rejects.toThrow('ECONNREFUSED');
    dispose();
  });
});
