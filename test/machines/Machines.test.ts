import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { MACHINE_PROTOCOL } from '../../src-main/contract/machines.ts';
import { Machines } from '../../src-main/machines/Machines.ts';
import type { RemoteApi } from '../../src-main/machines/RemoteApi.ts';
import type { RemoteSide } from '../../src-main/machines/RemoteSide.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { soon } from '../support/soon.ts';

/** Options of Machines with defaults; `ssh` is the body of a shell script. */
function specWith(ssh: string) {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-machines-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'ssh'), `#!/bin/sh\n${ssh}\n`, { mode: 0o700 });
  let ids = 0;
  return {
    ...{ dataFolder: folder, folder, hostName: 'here', coreId: 'c0', clock: new FakeClock() },
    env: { PATH: `${folder}:/usr/bin:/bin` },
    randomId: (bytes: number) => String(ids++).padStart(2 * bytes, '0'),
    openApi: (): RemoteApi => expect.unreachable(),
    removeServer: () => expect.unreachable(),
    remote: {
      version: '0.1.0',
      command: 'true',
      offer: () => expect.unreachable(),
      install: () => expect.unreachable(),
    },
  };
}

test('of two names of one machine that connect side by side, one is refused', async () => {
  const hello = { type: 'ready', protocol: MACHINE_PROTOCOL, version: '0.1.0', token: 'x'.repeat(16) };
  const lists = { unsubscribe: () => undefined }; // the lists never arrive
  const api = {
    call: () => Promise.resolve({ version: '0.1.0', hostName: 'box', home: '/', platform: 'linux', coreId: 'c1' }),
    subscribe: () => lists,
    lost: new Promise<never>(() => undefined),
  };
  const spec = specWith(`echo 'HANSARD-STDIO ${JSON.stringify(hello)}'; exec sleep 60`);
  const openApi = (pipe: Duplex): RemoteApi => {
    pipe.on('error', () => undefined);
    return { ...api, dispose: () => pipe.destroy() };
  };
  const machines = await Machines.open({ ...spec, openApi });
  await Promise.all(['box', 'me@box'].map((name) => machines.connect(name)));
  const reasons = () => machines.view.machines.map(({ reason }) => reason).toSorted();
  await soon(reasons).toEqual([expect.stringMatching(/^That machine is connected already, as (me@)?box\.$/), null]);
  await Promise.all(machines.view.machines.map(({ key }) => machines.forget(key, { server: false })));
  await machines.stop();
  await soon(() => readdirSync(spec.folder).filter((name) => name.startsWith('ask-'))).toEqual([]); // both attempts have ended
});

test('a name that could not be connected is not tried when Hansard starts again', async () => {
  const spec = specWith('exit 255');
  const first = await Machines.open(spec);
  onTestFinished(() => first.stop());
  await first.connect('tpyo');
  await soon(() => first.view.machines.map(({ state }) => state)).toEqual(['failed']);
  const kept = () => JSON.parse(readFileSync(join(spec.folder, 'machines.json'), 'utf8')).machines[0].isOn;
  await soon(kept).toBe(false);
  const second = await Machines.open(spec);
  onTestFinished(() => second.stop());
  expect(second.view.machines.map(({ state }) => state)).toEqual(['off']);
});

test('a machine that was added just before the end is in the list afterwards', async () => {
  const spec = specWith('exec sleep 60');
  const machines = await Machines.open(spec);
  await machines.connect('box');
  await machines.stop();
  const { machines: saved } = JSON.parse(readFileSync(join(spec.folder, 'machines.json'), 'utf8'));
  expect(saved).toMatchObject([{ name: 'box' }]);
});

test('a copy has no percentage before its first bytes are sent: the time for packing is not known', async () => {
  const hello = { type: 'missing', system: 'Linux', machine: 'x86_64', libc: 'glibc', version: null };
  const spec = specWith(`echo 'HANSARD-STDIO ${JSON.stringify(hello)}'; exec sleep 60`);
  let sent: (percent: number) => void = () => expect.unreachable();
  const remote: RemoteSide = {
    ...{ version: '0.1.0', command: 'true', offer: () => ({ text: 'Copy Hansard?' }) },
    install: ({ onProgress, signal }) => {
      sent = onProgress;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    },
  };
  const machines = await Machines.open({ ...spec, remote });
  onTestFinished(() => machines.stop());
  await machines.connect('box');
  const box = () => machines.view.machines[0];
  await soon(() => box()?.question?.kind).toBe('setup');
  await machines.find(box()?.key ?? '')?.answer(box()?.question?.id ?? '', 'yes');
  await soon(() => box()?.step).toEqual({ words: 'setup', percent: null });
  sent(34);
  expect(box()?.step).toEqual({ words: 'setup', percent: 34 });
});

const MISSING = { type: 'missing', system: 'Linux', machine: 'x86_64', libc: 'glibc', version: null };

test.each([
  ['cannot be reached', 'exit 255', { ok: true, left: expect.stringMatching(/^box cannot be reached/) }, []],
  [
    'has no copy and would be set up',
    `echo 'HANSARD-STDIO ${JSON.stringify(MISSING)}'; exec sleep 60`,
    { ok: true },
    [],
  ],
  [
    'asks for a password',
    '"$SSH_ASKPASS" "me@box\'s password: "; exec sleep 60',
    {
      ok: false,
      reason: 'box asks something before it connects, so nothing was removed. Connect it first.',
    },
    [expect.objectContaining({ name: 'box', state: 'off', question: null })],
  ],
])('a machine that was disconnected and %s is forgotten as far as possible', async (_, ssh, verdict, left) => {
  const spec = specWith(ssh);
  const file = { version: 1, machines: [{ key: 'abc123', name: 'box', isOn: false }] };
  writeFileSync(join(spec.folder, 'machines.json'), JSON.stringify(file));
  const remote: RemoteSide = { ...spec.remote, offer: () => ({ text: 'Copy it there?' }) };
  const machines = await Machines.open({ ...spec, remote });
  onTestFinished(() => machines.stop());
  expect(await machines.forget('abc123', { server: true })).toEqual(verdict);
  expect(machines.view.machines).toEqual(left);
});
