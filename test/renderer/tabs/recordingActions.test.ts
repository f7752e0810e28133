import { expect, onTestFinished, test } from 'vitest';
import type { RecordedTerminal } from '../../../src-main/contract/api.ts';
import { AppState } from '../../../src-renderer/app/AppState.svelte.ts';
import { registerRecordingActions } from '../../../src-renderer/tabs/recordingActions.ts';
import { fakeRpc, terminalView, usualSettings } from '../support/fakeRpc.ts';

function setUp(recorded: RecordedTerminal[], removed = '') {
  const { rpc, calls } = fakeRpc({
    'terminal.close': () => ({ closed: true }),
    'block.page': () => ({ blocks: [], more: false }),
    'recording.list': () => recorded,
    'recording.open': ({ id }: { id: string }) => {
      if (id === removed) throw new Error(`No record of a terminal "${id}"`);
      return terminalView({ id });
    },
  });
  const system = {
    version: '0',
    home: '/',
    platform: 'linux',
    shells: [],
    defaultShell: '',
    dataFolder: '',
    hostName: '',
    coreId: 'c',
  };
  const workspace = { order: [], active: null, folded: {}, chats: {}, projects: {}, projectOrder: [], panes: [] };
  const app = new AppState(rpc, { system: { ...system, frontend: 'web' }, settings: usualSettings, workspace });
  onTestFinished(app.notices.start());
  app.terminals.apply({ type: 'all', terminals: [terminalView({ id: 'a' })] });
  const offered = () =>
    app.palette.all.filter(({ id, when }) => id.startsWith('recording.open.') && (when?.() ?? true));
  return { app, calls, offered };
}

const one: RecordedTerminal = {
  id: 'r1',
  name: 'a demo',
  shell: 'sh',
  cwd: '/',
  createdMs: 0,
  usedMs: 0,
  origin: 'import',
};

test('a recording is chosen in the palette and opened in a tab', async () => {
  const { app, calls, offered } = setUp([one, { ...one, id: 'r2', name: null }]);
  const stop = registerRecordingActions(app);
  app.palette.run('recording.open');
  await expect.poll(() => app.palette.isOpen).toBe(true);
  expect(app.palette.choice).toBe('Open recording');
  expect(offered().map(({ title }) => title.split(' · ')[0])).toEqual(['a demo', 'sh in /']);
  app.palette.run('recording.open.r1');
  await expect
    .poll(() => calls.filter(([name]) => name === 'recording.open'))
    .toEqual([['recording.open', { id: 'r1' }]]);
  app.palette.close();
  expect(offered()).toEqual([]);
  stop();
  expect(app.palette.get('recording.open.r1')).toBeUndefined();
});

test('where every terminal has a tab, nothing is offered', async () => {
  const { app, calls } = setUp([]);
  const stop = registerRecordingActions(app);
  app.palette.run('recording.open');
  await expect.poll(() => calls.some(([name]) => name === 'recording.list')).toBe(true);
  expect(app.palette.isOpen).toBe(false);
  stop();
});

test('closed tabs come back, the last one first, past one that was removed, and then the terminal that was used last', async () => {
  const { app, calls } = setUp([one, { ...one, id: 'r2', origin: null }], 'c');
  const stop = registerRecordingActions(app);
  app.terminals.apply({ type: 'all', terminals: ['a', 'b', 'c', 'd'].map((id) => terminalView({ id })) });
  for (const id of ['b', 'c', 'd']) {
    await app.terminals.close(id, false);
    app.terminals.apply({ type: 'removed', id });
  }
  const opened = () =>
    calls.flatMap(([name, input]) => (name === 'recording.open' ? [(input as { id: string }).id] : []));
  app.palette.run('tab.reopen');
  app.palette.run('tab.reopen');
  await expect.poll(opened).toEqual(['d', 'c']);
  app.palette.run('tab.reopen');
  app.palette.run('tab.reopen');
  await expect.poll(opened).toEqual(['d', 'c', 'b', 'r2']);
  stop();
});
