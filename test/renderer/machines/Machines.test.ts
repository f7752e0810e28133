import { TRPCClientError } from '@trpc/client';
import { describe, expect, test } from 'vitest';
import { OUTCOME_UNKNOWN } from '../../../src-main/shared/machineIds.ts';
import { AppState } from '../../../src-renderer/app/AppState.svelte.ts';
import { connect, registerMachineActions } from '../../../src-renderer/machines/machineActions.ts';
import { openForwarded } from '../../../src-renderer/machines/openForwarded.ts';
import { sendFiles } from '../../../src-renderer/machines/sendFiles.ts';
import { openTab } from '../../../src-renderer/tabs/tabActions.ts';
import { aMachine } from '../../support/aMachine.ts';
import { fakeRpc, terminalView, usualSettings } from '../support/fakeRpc.ts';

const REMOTE = 'on-quay01-t1';
const quay = (change = {}) => aMachine({ key: 'quay01', name: 'quay', ...change });

function setUp(answers: Parameters<typeof fakeRpc>[0] = {}) {
  const { rpc, calls } = fakeRpc({ 'block.page': () => ({ blocks: [], more: false }), ...answers });
  const app = new AppState(rpc, {
    system: {
      version: '0',
      home: '/home/ada',
      platform: 'linux',
      shells: [],
      defaultShell: '/bin/one',
      dataFolder: '/d',
      hostName: 'h',
      coreId: 'c',
      frontend: 'web',
    },
    settings: { ...usualSettings, 'shell.default': '/bin/zsh' },
    workspace: { order: [], active: REMOTE, folded: {}, chats: {}, projects: {}, projectOrder: [], panes: [] },
  });
  const terminals = ['here', REMOTE].map((id, at) => terminalView({ id, createdMs: at, cwd: '/root/src' }));
  app.terminals.apply({ type: 'all', terminals });
  const forget = registerMachineActions(app);
  const stop = () => {
    forget();
    app.dispose();
  };
  const inputs = (name: string) => calls.filter(([called]) => called === name).map(([, input]) => input);
  return { app, inputs, stop, calls };
}

type Rpc = AppState['rpc'];
const ACTS: readonly (readonly [name: string, act: (rpc: Rpc, id: string) => Promise<unknown>])[] = [
  ['terminal.write', ({ terminal }, id) => terminal.write({ id, data: 'x' })],
  ['terminal.writeBinary', ({ terminal }, id) => terminal.writeBinary({ id, data: 'x' })],
  ['terminal.paste', ({ terminal }, id) => terminal.paste({ id, text: 'x' })],
  ['terminal.sendFile', ({ terminal }, id) => terminal.sendFile({ id, name: 'x', base64: '' })],
  ['terminal.submit', ({ terminal }, id) => terminal.submit({ id, text: 'x' })],
  ['terminal.restart', ({ terminal }, id) => terminal.restart({ id })],
  ['block.rerun', ({ block }, terminalId) => block.rerun({ terminalId, blockId: 'b' })],
  ['agent.answer', ({ agent }, terminalId) => agent.answer({ terminalId, questionId: 'q', option: 0 })],
  ['agent.reply', ({ agent }, terminalId) => agent.reply({ terminalId, text: 'x' })],
  ['agent.interrupt', ({ agent }, terminalId) => agent.interrupt({ terminalId })],
  ['clients.answer', ({ clients }, id) => clients.answer({ id, answer: { choice: 'deny', reason: '' } })],
];

describe('a machine that cannot be reached', () => {
  test.each(ACTS)('%s is refused with a notice and not kept for later', async (name, act) => {
    for (const state of ['lost', 'off', 'failed', 'connecting'] as const) {
      const { app, inputs, stop } = setUp();
      app.machines.apply([quay({ state })]);
      await expect(act(app.rpc, REMOTE)).rejects.toThrow(/^no connection to quay$/);
      expect(app.notices.remark?.text).toBe('Not sent: no connection to quay');
      app.machines.apply([quay()]);
      await act(app.rpc, 'here');
      expect(inputs(name)).toHaveLength(1);
      await act(app.rpc, REMOTE);
      expect(inputs(name)).toHaveLength(2);
      stop();
    }
  });

  test('says so of keys, and not of what the emulator reports by itself', async () => {
    const { app, inputs, stop } = setUp({ 'terminal.write': () => Promise.reject(new Error('gone')) });
    const write = (data: string) => app.rpc.terminal.write({ id: REMOTE, data }).catch(() => undefined);
    app.machines.apply([quay()]);
    await write('\x1b[I');
    app.machines.apply([quay({ state: 'lost' })]);
    await write('\x1b[O');
    expect([inputs('terminal.write').length, app.notices.remark]).toEqual([1, null]);
    await write('x');
    expect(app.notices.remark?.text).toBe('Not sent: no connection to quay');
    stop();
  });

  test('does not hide that earlier keys may have arrived behind a notice about later ones', async () => {
    const cut = TRPCClientError.from({
      error: { message: 'unsure', code: -32099, data: { code: OUTCOME_UNKNOWN } },
    } as never);
    const { app, stop } = setUp({ 'terminal.write': () => Promise.reject(cut) });
    const write = () => app.rpc.terminal.write({ id: REMOTE, data: 'x' }).catch(() => undefined);
    app.machines.apply([quay()]);
    await write();
    app.machines.apply([quay({ state: 'lost' })]);
    await write();
    expect(app.notices.remark?.text).toBe('unsure');
    stop();
  });

  test('hands what was typed ahead for it to the person', () => {
    const { app, stop } = setUp();
    app.machines.apply([quay()]);
    const terminal = app.terminals.byId(REMOTE);
    if (!terminal) throw new Error('no terminal');
    terminal.ahead.begin({} as never, terminal.view, [{ text: 'make\rls', isPaste: false }]);
    terminal.draft = 'half a line';
    app.machines.apply([quay({ state: 'lost' })]);
    expect([terminal.ahead.isOn, terminal.held, terminal.draft]).toEqual([false, ['make', 'ls'], 'half a line']);
    stop();
  });
});

test('a new tab opens on the machine of the shown one, whose shells are not ours', async () => {
  const { app, inputs, stop } = setUp({ 'terminal.open': () => terminalView({ id: 'on-quay01-t2', createdMs: 9 }) });
  app.machines.apply([quay()]);
  await openTab(app);
  await app.terminals.activate('here');
  await openTab(app);
  const size = { cols: 100, rows: 30 };
  expect(inputs('terminal.open')).toEqual([
    { machine: 'quay01', cwd: '/root/src', ...size },
    { shell: '/bin/zsh', cwd: '/root/src', ...size },
  ]);
  stop();
});

test('folders are shortened by the home of their machine and name it', () => {
  const { app, stop } = setUp();
  app.machines.apply([quay()]);
  expect(app.machines.place(REMOTE, '/root/src')).toBe('quay:~/src');
  expect(app.machines.place('here', '/home/ada/src')).toBe('~/src');
  expect(app.machines.place('on-gone03-t', '/home/ada/src')).toBe('/home/ada/src');
  expect(app.machines.titled('npm test', REMOTE)).toBe('npm test on quay');
  stop();
});

test('the sheet follows the machine that it connects, and opens a terminal where there is no other', async () => {
  const { app, inputs, stop } = setUp({
    'machine.connect': () => ({ ok: true, key: 'pier02' }),
    'terminal.open': () => terminalView({ id: 'on-pier02-t', createdMs: 9 }),
  });
  const pier = (change = {}) => aMachine({ key: 'pier02', name: 'pier', ...change });
  app.palette.run('machine.connect');
  expect(app.machines.sheet).toEqual({ what: 'connect', key: null });
  expect(await connect(app, 'pier')).toBeNull();
  expect(app.machines.sheet).toEqual({ what: 'connect', key: 'pier02' });
  const question = { id: 'q', kind: 'secret', text: 'Password:' } as const;
  app.machines.apply([pier({ state: 'connecting', question })]);
  expect(app.machines.isAsking(pier({ question }))).toBe(false);
  app.machines.apply([pier()]);
  expect(app.machines.sheet).toBeNull();
  expect(app.machines.isAsking(pier({ question }))).toBe(true);
  await expect.poll(() => inputs('terminal.open')).toEqual([{ machine: 'pier02', cols: 100, rows: 30 }]);
  stop();
});

test('a machine that connects by itself opens nothing', async () => {
  const { app, inputs, stop } = setUp();
  app.machines.apply([aMachine({ key: 'pier02', name: 'pier', state: 'connecting' })]);
  app.machines.apply([aMachine({ key: 'pier02', name: 'pier' })]);
  await Promise.resolve();
  expect([inputs('terminal.open'), app.machines.sheet]).toEqual([[], null]);
  stop();
});

test('a file is copied whole to the machine of the terminal, and what cannot be copied says why', async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251);
  const { app, inputs, stop } = setUp({
    'terminal.sendFile': ({ name }: { name: string }) => {
      if (name === 'full') throw new Error('the disk is full');
      return { path: `/tmp/${name}` };
    },
  });
  app.machines.apply([quay()]);
  const large = new File([''], 'large');
  Object.defineProperty(large, 'size', { value: 12 * 1024 * 1024 + 1 });
  expect(await sendFiles(app, REMOTE, [new File([bytes], 'a b.png'), large])).toEqual(['/tmp/a b.png']);
  expect(inputs('terminal.sendFile')).toEqual([
    { id: REMOTE, name: 'a b.png', base64: Buffer.from(bytes).toString('base64') },
  ]);
  expect(app.notices.remark?.text).toContain('larger than 12 MB');
  expect(await sendFiles(app, REMOTE, [new File([''], 'full')])).toEqual([]);
  expect(app.notices.remark?.text).toBe('Could not copy full: the disk is full');
  stop();
});

test('a port that cannot be forwarded says why', async () => {
  const { app, inputs, stop } = setUp({ 'machine.forward': () => ({ ok: false, reason: 'The port is in use.' }) });
  app.machines.apply([quay()]);
  await openForwarded(app, 'quay01', 5173);
  expect(inputs('machine.forward')).toEqual([{ key: 'quay01', port: 5173 }]);
  expect(app.notices.remark?.text).toBe('Port not forwarded: The port is in use.');
  stop();
});
