import { describe, expect, test } from 'vitest';
import { programName, shortHeadline } from '../../../src-renderer/tabs/TerminalState.svelte.ts';
import { Terminals } from '../../../src-renderer/tabs/Terminals.svelte.ts';
import { fakeRpc, terminalView } from '../support/fakeRpc.ts';

const block = (id: string, cmd: string, exitCode: number | null = null) => ({ id, cmd, exitCode, startedMs: 1 });

function setUp(
  active: string | null = null,
  blocks: unknown[] = [],
  isNews = (_ended: unknown, isShown: boolean) => !isShown,
) {
  const { rpc, calls } = fakeRpc({ 'block.page': () => ({ blocks, more: false }) });
  const terminals = new Terminals(
    rpc,
    { order: ['b', 'a'], active, folded: {}, chats: {}, projects: {}, projectOrder: [], panes: [] },
    isNews,
  );
  const all = (...ids: string[]) =>
    terminals.apply({ type: 'all', terminals: ids.map((id, at) => terminalView({ id, createdMs: at })) });
  const shown = () => terminals.list.map(({ id }) => id);
  return { terminals, calls, all, shown };
}

describe('the tabs', () => {
  test('stand in the person’s order, new ones last', () => {
    const { all, shown } = setUp();
    all('a', 'b', 'c');
    expect(shown()).toEqual(['b', 'a', 'c']);
  });

  test('of a machine that has not sent its terminals since a restart stay, the shown one too, until it sends them', () => {
    const { terminals, all, shown } = setUp('on-abc123-x');
    const views = (...ids: string[]) => ids.map((id) => terminalView({ id }));
    all('a', 'on-abc123-x', 'on-abc123-y', 'on-zzz999-z');
    terminals.apply({ type: 'all', terminals: views('a'), unheard: ['abc123'] });
    expect([shown(), terminals.activeId]).toEqual([['a', 'on-abc123-x', 'on-abc123-y'], 'on-abc123-x']);
    terminals.apply({ type: 'all', terminals: views('a', 'on-abc123-y') });
    expect(shown()).toEqual(['a', 'on-abc123-y']);
  });

  test('the tab of a machine that is not connected yet is shown again when it comes, unless the person does something', () => {
    for (const isTouched of [false, true]) {
      const { terminals } = setUp('on-abc123-x');
      const views = (...ids: string[]) => ids.map((id) => terminalView({ id }));
      terminals.apply({ type: 'all', terminals: views('a'), unheard: ['abc123'] });
      expect(terminals.activeId).toBe('a');
      terminals.apply({ type: 'changed', terminal: terminalView({ id: 'b' }) });
      if (isTouched) void terminals.activate('b');
      terminals.apply({ type: 'all', terminals: views('a', 'b', 'on-abc123-x') });
      expect(terminals.activeId).toBe(isTouched ? 'b' : 'on-abc123-x');
    }
  });

  test('a list after a lost connection replaces what was known', () => {
    const { terminals, all, shown } = setUp();
    all('a', 'b', 'c');
    const kept = terminals.byId('a');
    all('a', 'd');
    expect(shown()).toEqual(['a', 'd']);
    expect(terminals.byId('a')).toBe(kept);
  });

  test('there is a shown tab whenever there is a tab', () => {
    const { terminals, all } = setUp('gone');
    all('a', 'b');
    expect(terminals.activeId).toBe('b');
    terminals.apply({ type: 'removed', id: 'b' });
    terminals.apply({ type: 'removed', id: 'a' });
    expect(terminals.activeId).toBeNull();
  });

  test('the tab that was shown last is shown again, also where the windows are known before the tabs', () => {
    const { terminals, all } = setUp('a');
    terminals.windows.onChange();
    all('a', 'b');
    expect(terminals.activeId).toBe('a');
  });

  test('closing the shown tab shows the one after it, at the end the one before', () => {
    const { terminals, all } = setUp('b');
    all('a', 'b', 'c');
    terminals.apply({ type: 'removed', id: 'b' });
    expect(terminals.activeId).toBe('a');
    terminals.activeId = 'c';
    terminals.apply({ type: 'removed', id: 'c' });
    expect(terminals.activeId).toBe('a');
  });

  test('stepping goes around the ends and is told to the core', async () => {
    const { terminals, all, calls } = setUp('a');
    all('a', 'b');
    await terminals.step(1);
    await terminals.step(1);
    expect(calls.filter(([name]) => name === 'workspace.setActive')).toEqual([
      ['workspace.setActive', { id: 'b' }],
      ['workspace.setActive', { id: 'a' }],
    ]);
  });

  test('looking at a tab that rang takes its bell back', async () => {
    const { terminals, calls } = setUp();
    terminals.apply({ type: 'all', terminals: [terminalView({ id: 'a' }), terminalView({ id: 'z', bell: true })] });
    await terminals.activate('z');
    await terminals.activate('a');
    expect(calls.filter(([name]) => name === 'terminal.seen')).toEqual([['terminal.seen', { id: 'z' }]]);
  });

  test('a moved tab keeps its place when the core tells of the tabs again', async () => {
    const { terminals, all, shown, calls } = setUp();
    all('a', 'b', 'c');
    await terminals.move('c', 0);
    all('a', 'b', 'c');
    expect(shown()).toEqual(['c', 'b', 'a']);
    expect(calls).toContainEqual(['workspace.setOrder', { ids: ['c', 'b', 'a'] }]);
  });

  test('an empty name gives the tab its own name back', async () => {
    const { terminals, calls } = setUp();
    await terminals.rename('a', '  ');
    expect(calls).toEqual([['terminal.rename', { id: 'a', name: null }]]);
  });
});

test('a command that ends where nobody looks marks its tab until somebody does', async () => {
  const done = { ...block('b1', 'make all'), endedMs: 9 };
  const { terminals } = setUp('a', [done]);
  const run = (runningBlockId: string | null) =>
    ['a', 'z'].map((id) => terminals.apply({ type: 'changed', terminal: terminalView({ id, runningBlockId }) }));
  run('b1');
  run(null);
  await expect.poll(() => terminals.byId('z')?.news).toBe('make all');
  expect([terminals.byId('z')?.status, terminals.byId('a')?.status]).toEqual(['rang', 'idle']);
  await terminals.activate('z');
  expect(terminals.byId('z')?.status).toBe('idle');
});

describe('what a tab is called', () => {
  test('the command while it runs, the shell before and after, the person’s name always', async () => {
    const { terminals } = setUp('a', [block('b1', 'npm run dev\nsecond line')]);
    terminals.apply({ type: 'changed', terminal: terminalView({ id: 'a', runningBlockId: 'b1' }) });
    const tab = terminals.byId('a');
    expect(tab?.label).toBe('sh-like');
    await expect.poll(() => tab?.label).toBe('npm run dev');
    expect(tab?.status).toBe('running');
    terminals.apply({ type: 'changed', terminal: terminalView({ id: 'a' }) });
    expect([tab?.label, tab?.status]).toEqual(['sh-like', 'idle']);
    terminals.apply({ type: 'changed', terminal: terminalView({ id: 'a', name: 'Harbour' }) });
    expect(tab?.label).toBe('Harbour');
  });

  test.each([
    ['vim x', 'vim'],
    ['FOO=1 sudo -E /usr/bin/vim x', 'vim'],
    ['./run.sh;', 'run.sh'],
    ['"/opt/my tools/vim" x', 'vim'],
    ['sleep 9 &', 'sleep'],
    ['make 2>&1', 'make'],
    ['make >&log', 'make'],
    ['make &>log', 'make'],
    ['for i in 1 2; do sleep 1; done', undefined],
    ['', undefined],
    [null, undefined],
  ])('the keys of %j go to %s', (cmd, name) => {
    expect(programName(cmd)).toBe(name);
  });

  test.each([
    ['/home/me/a/long/path/to/vim notes.txt', 'vim notes.txt'],
    ['FOO=/a/b sudo -E /usr/bin/vim /etc/hosts', 'FOO=/a/b sudo -E vim /etc/hosts'],
    ['"/opt/my tools/vim" x', '"vim" x'],
    [String.raw`/opt/my\ tools/vim x`, 'vim x'],
    ['./node_modules/.bin/vite build\nsecond', 'vite build'],
    ['cat /etc/hosts', 'cat /etc/hosts'],
    ['/etc/', '/etc/'],
    ['  ', undefined],
    [null, undefined],
  ])('a tab says of %j: %s', (cmd, label) => {
    expect(shortHeadline(cmd)).toBe(label);
  });

  test('what comes while the window is open stands last, however old it is', () => {
    const { terminals } = setUp();
    terminals.apply({ type: 'changed', terminal: terminalView({ id: 'new', createdMs: 9_000 }) });
    terminals.apply({ type: 'changed', terminal: terminalView({ id: 'recording', createdMs: 1 }) });
    expect(terminals.list.slice(-2).map(({ id }) => id)).toEqual(['new', 'recording']);
  });

  test.each([
    [{ state: 'exited', exitCode: 0 }, 'exited'],
    [{ state: 'exited', exitCode: 1 }, 'failed'],
    [{ state: 'exited', exitCode: null, signal: 'SIGKILL' }, 'failed'],
    [{ state: 'exited', exitCode: null }, 'exited'],
    [{ bell: true, runningBlockId: 'x' }, 'rang'],
    [{}, 'idle'],
  ] as const)('%j is %s', (change, status) => {
    const { terminals } = setUp();
    terminals.apply({ type: 'changed', terminal: terminalView({ id: 'a', ...change }) });
    expect(terminals.byId('a')?.status).toBe(status);
  });
});

test.each([
  'cd "$(fzf)"',
  'cd `fzf`',
  'ls | fzf',
  'make; vim x',
  'make && vim x',
  'sleep 9 & read x',
  'sleep 9&cat',
  'diff <(fzf) x',
  'set x (fzf)',
  'one\ntwo',
])('which program has the keys of %j cannot be told from it', (cmd) => {
  expect(programName(cmd)).toBeUndefined();
});
