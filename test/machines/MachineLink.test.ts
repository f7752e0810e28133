import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MACHINE_PROTOCOL } from '../../src-main/contract/machines.ts';
import { MachineLink } from '../../src-main/machines/MachineLink.ts';
import { MachineError, type OpenRemoteApi, type RemoteApi } from '../../src-main/machines/RemoteApi.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { soon } from '../support/soon.ts';

/** A link whose ssh runs `script`, in a folder of its own. */
function linkWithSsh(script: (folder: string) => string, openApi: OpenRemoteApi = () => expect.unreachable()) {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-link-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'ssh'), `#!/bin/sh\n${script(folder)}\n`, { mode: 0o700 });
  let ids = 0;
  const clock = new FakeClock();
  const link = new MachineLink({
    ...{ key: 'abc123', name: 'box', folder, clock, env: { PATH: `${folder}:/usr/bin:/bin` }, openApi },
    randomId: () => `id${ids++}`,
    listed: async () => undefined,
    shownAs: () => null,
    remote: {
      version: '0.1.0',
      command: 'true',
      offer: () => expect.unreachable(),
      install: () => expect.unreachable(),
    },
  });
  onTestFinished(() => link.dispose());
  return { link, folder, clock };
}

test('a connection that is given up before ssh runs starts none; the next one does', async () => {
  const { link, folder } = linkWithSsh((to) => `echo run >>'${to}/runs'\nexit 1`);
  link.connect();
  link.disconnect();
  link.connect();
  await soon(() => link.view.state).toBe('failed');
  await soon(() => readdirSync(folder).filter((name) => name.startsWith('ask-'))).toEqual([]); // both attempts have ended
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\n');
});

test('a ping that cannot be sent leaves ssh time to give the reason', async () => {
  const hello = { type: 'ready', protocol: 1, version: '1.0.0', token: 'a token of the test' };
  const cut = new MachineError('cut', 'the connection was lost');
  const info = { version: '1.0.0', hostName: 'box', home: '/home/me', platform: 'linux' };
  let pings = 0;
  const api: RemoteApi = {
    call: async (_type, path) => {
      if (path === 'system.info') return info;
      pings += 1;
      throw cut;
    },
    subscribe: () => ({ unsubscribe: () => undefined }),
    lost: new Promise(() => undefined),
    dispose: () => undefined,
  };
  const script = (to: string) => `echo 'HANSARD-STDIO ${JSON.stringify(hello)}'
until [ -e '${to}/end' ]; do sleep 0.05; done
echo 'client_loop: send disconnect: Broken pipe' >&2
exit 255`;
  const { link, folder } = linkWithSsh(script, (pipe) => {
    pipe.on('error', () => undefined); // ssh has ended
    return api;
  });
  link.connect();
  await soon(() => pings).toBe(1);
  await soon(() => link.view.state).toBe('connected');
  writeFileSync(join(folder, 'end'), '');
  await soon(() => link.view.reason).toContain('Broken pipe');
});

test.each([
  ['older', MACHINE_PROTOCOL - 1, /1\.2\.3 runs there, which is older .* `hansard serve restart` there/],
  ['newer', MACHINE_PROTOCOL + 1, /1\.2\.3 runs there, which is newer .* Update Hansard here/],
])(
  'a machine whose core is %s is not used and not tried again, and the reason says what to do',
  async (_, protocol, reason) => {
    const hello = { type: 'ready', protocol, version: '1.2.3', token: 'a token of the test' };
    const { link, clock } = linkWithSsh(() => `echo 'HANSARD-STDIO ${JSON.stringify(hello)}'\nexec cat >/dev/null`);
    link.connect({ isAgain: true });
    await soon(() => link.view.state).toBe('failed');
    expect(link.view.reason).toMatch(reason);
    clock.advance(3_600_000);
    expect(link.view.state).toBe('failed');
  },
);

test('a machine that says nothing for half a minute is said to wait for something there, until it answers', async () => {
  const { link, folder, clock } = linkWithSsh(
    (to) => `until [ -e '${to}/end' ]; do sleep 0.05; done\necho 'HANSARD-STDIO {}'`,
  );
  link.connect();
  await soon(() => clock.pending).toBe(2); // the clock watches for sleep, and the link for its machine
  clock.advance(29_000);
  expect(link.view).toMatchObject({ state: 'connecting', reason: null });
  clock.advance(1_000);
  expect(link.view).toMatchObject({ state: 'connecting', reason: expect.stringMatching(/No answer.*\.bashrc/) });
  writeFileSync(join(folder, 'end'), '');
  await soon(() => link.view.state).toBe('failed');
  expect(link.view.reason).toMatch(/^Hansard does not answer there|^ssh ended/);
});
