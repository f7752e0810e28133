import { TRPCClientError } from '@trpc/client';
import { describe, expect, test, vi } from 'vitest';
import { NOT_CONNECTED, OUTCOME_UNKNOWN } from '../../../src-main/shared/machineIds.ts';
import { AppState } from '../../../src-renderer/app/AppState.svelte.ts';
import { NotSent } from '../../../src-renderer/machines/guardRpc.ts';
import {
  closeTab,
  guard,
  openTab,
  type Renaming,
  registerTabActions,
  unasked,
} from '../../../src-renderer/tabs/tabActions.ts';
import { fakeRpc, terminalView, usualSettings } from '../support/fakeRpc.ts';

function setUp(answers: Parameters<typeof fakeRpc>[0] = {}) {
  const { rpc, calls } = fakeRpc({ 'block.page': () => ({ blocks: [], more: false }), ...answers });
  const app = new AppState(rpc, {
    system: {
      version: '0',
      home: '/home/ada',
      platform: 'linux',
      shells: [{ path: '/bin/one', name: 'one', integration: true }],
      defaultShell: '/bin/one',
      dataFolder: '/d',
      hostName: 'h',
      coreId: 'c',
      frontend: 'web',
    },
    settings: usualSettings,
    workspace: { order: [], active: null, folded: {}, chats: {}, projects: {}, projectOrder: [], panes: [] },
  });
  app.terminals.apply({ type: 'all', terminals: ['a', 'b'].map((id, at) => terminalView({ id, createdMs: at })) });
  const made = () => calls.filter(([name]) => name.startsWith('terminal.'));
  return { app, made };
}

test('a request that the window makes by itself says nothing of a lost connection, and everything of another failure', async () => {
  const { app } = setUp();
  const ofCore = (code: string) =>
    TRPCClientError.from({ error: { message: code, code: -32000, data: { code } } } as never);
  app.link.state = 'open';
  for (const error of [
    TRPCClientError.from(new Event('close') as never),
    new NotSent('no connection to quay'),
    ofCore(NOT_CONNECTED),
    ofCore(OUTCOME_UNKNOWN),
  ]) {
    unasked(app, Promise.reject(error));
    await Promise.resolve();
    await Promise.resolve();
    expect(app.notices.remark).toBeNull();
  }
  unasked(app, Promise.reject(ofCore('NOT_FOUND')));
  await vi.waitFor(() => expect(app.notices.remark?.text).toBe('The action failed: NOT_FOUND'));
  app.notices.start()();
});

test('what could not be sent to a machine keeps the notice of that', async () => {
  const { app } = setUp();
  app.link.state = 'open';
  app.notices.fail('Not sent: no connection to quay');
  guard(app, Promise.reject(new NotSent('no connection to quay')));
  await Promise.resolve();
  await Promise.resolve();
  expect(app.notices.remark?.text).toBe('Not sent: no connection to quay');
  app.notices.start()();
});

describe('closing a tab', () => {
  test('where nothing runs asks nothing', async () => {
    const { app, made } = setUp({ 'terminal.close': () => ({ closed: true }) });
    await closeTab(app, 'a');
    expect(made()).toEqual([['terminal.close', { id: 'a', force: false }]]);
  });

  test.each([
    [true, [false, true]],
    [false, [false]],
  ])('names what runs, and the answer %s decides', async (answer, forces) => {
    const { app, made } = setUp({
      'terminal.close': ({ force }: { force: boolean }) =>
        force ? { closed: true } : { closed: false, running: ['vim', 'make'] },
    });
    const closing = closeTab(app, 'a');
    await expect.poll(() => app.dialogs.question?.exact).toBe('vim\nmake');
    app.dialogs.answer(answer);
    await closing;
    expect(made().map(([, input]) => (input as { force: boolean }).force)).toEqual(forces);
  });
});

test('a new tab opens where the shown one is and is shown', async () => {
  const { app, made } = setUp({ 'terminal.open': () => terminalView({ id: 'new', createdMs: 9 }) });
  await openTab(app);
  expect(made()).toEqual([['terminal.open', { cwd: '/home/ada/src', cols: 100, rows: 30 }]]);
  expect(app.terminals.activeId).toBe('new');
});

test('every action on tabs can be found, makes sense only where it does, and is gone with its component', () => {
  const { app } = setUp();
  const renaming: Renaming = { id: null };
  const stop = registerTabActions(app, renaming);
  const enabled = ['tab.1', 'tab.2', 'tab.3', 'tab.restart', 'tab.new.one'].map((id) => app.palette.isEnabled(id));
  expect(enabled).toEqual([true, true, false, false, true]);
  app.palette.run('tab.rename');
  expect(renaming.id).toBe('a');
  expect(app.keys.conflicts.size).toBe(0);
  stop();
  expect(app.palette.all).toEqual([]);
});

test('a request that fails is said and not thrown', async () => {
  const { app } = setUp({
    onLink: (listen: (state: string) => void) => listen('open'),
    'workspace.setActive': () => {
      throw new Error('lost');
    },
  });
  const stop = registerTabActions(app, { id: null });
  app.palette.run('tab.2');
  await expect.poll(() => app.notices.remark?.text).toBe('The action failed: lost');
  stop();
  app.dispose();
});
