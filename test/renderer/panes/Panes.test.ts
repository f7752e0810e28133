import { describe, expect, test } from 'vitest';
import type { PaneTree } from '../../../src-main/contract/panes.ts';
import { halfAt } from '../../../src-renderer/panes/dragPanes.ts';
import { leaf, leavesOf, splitPane } from '../../../src-renderer/panes/paneTree.ts';
import { Terminals } from '../../../src-renderer/tabs/Terminals.svelte.ts';
import { fakeRpc, terminalView } from '../support/fakeRpc.ts';

/** `a` on the left, `b` above `c` on the right. */
const THREE = splitPane(splitPane(leaf('a'), { at: 'a', side: 'right' }, 'b'), { at: 'b', side: 'down' }, 'c');

function setUp(panes: PaneTree[] = [THREE], active = 'a') {
  const { rpc, calls } = fakeRpc({
    'block.page': () => ({ blocks: [], more: false }),
    'terminal.open': () => terminalView({ id: 'new' }),
  });
  const workspace = {
    order: ['a', 'b', 'c', 'd'],
    active,
    folded: {},
    chats: {},
    projects: {},
    projectOrder: [],
    panes,
  };
  const terminals = new Terminals(rpc, workspace, () => false);
  const all = (...ids: string[]) => terminals.apply({ type: 'all', terminals: ids.map((id) => terminalView({ id })) });
  all('a', 'b', 'c', 'd');
  const shown = () => terminals.shown.map(({ id }) => id);
  const saved = () => (calls.findLast(([name]) => name === 'workspace.setPanes')?.[1] as { panes: PaneTree[] })?.panes;
  return { terminals, panes: terminals.panes, all, shown, saved };
}

describe('the panes of the window', () => {
  test('are shown together with any one of them, and alone where there is one', async () => {
    const { terminals, shown } = setUp();
    expect(shown()).toEqual(['a', 'b', 'c']);
    await terminals.activate('c');
    expect(shown()).toEqual(['a', 'b', 'c']);
    await terminals.activate('d');
    expect(shown()).toEqual(['d']);
  });

  test('a new pane is shown beside the one that was split, with the focus', async () => {
    const { terminals, shown, saved } = setUp([], 'd');
    await terminals.open({}, { at: 'd', side: 'left' });
    expect(terminals.activeId).toBe('new');
    expect(shown()).toEqual(['new', 'd']);
    expect(saved()).toEqual([splitPane(leaf('d'), { at: 'd', side: 'left' }, 'new')]);
  });

  test('a new pane is a tab when the one that was split is gone by then', async () => {
    const { terminals, shown, all } = setUp([], 'd');
    const opened = terminals.open({}, { at: 'd', side: 'left' });
    all('a');
    await opened;
    expect(shown()).toEqual(['new']);
  });

  test('a closed one leaves the focus to the pane beside it, and its room', async () => {
    const { terminals, shown, saved } = setUp([THREE], 'c');
    terminals.apply({ type: 'removed', id: 'c' });
    expect(terminals.activeId).toBe('a');
    expect(shown()).toEqual(['a', 'b']);
    terminals.apply({ type: 'removed', id: 'a' });
    expect(terminals.activeId).toBe('b');
    expect(shown()).toEqual(['b']);
    expect(saved()).toEqual([]);
  });

  test('one that is zoomed is shown alone until another one gets the focus', async () => {
    const { terminals, panes, shown } = setUp();
    panes.toggleZoom('a');
    expect(shown()).toEqual(['a']);
    await terminals.activate('d');
    await terminals.activate('a');
    expect(shown()).toEqual(['a']);
    await terminals.activate('b');
    await terminals.activate('a');
    expect(shown()).toEqual(['a', 'b', 'c']);
  });

  test('a tab becomes a pane, and a pane a tab', () => {
    const { panes, shown, saved } = setUp();
    panes.put('d', { at: 'c', side: 'right' });
    expect(shown()).toEqual(['a', 'b', 'c', 'd']);
    panes.takeOut('b');
    expect(shown()).toEqual(['a', 'c', 'd']);
    expect(saved().map(leavesOf)).toEqual([['a', 'c', 'd']]);
  });

  test('a pane moves from one tab to another', () => {
    const two = splitPane(leaf('d'), { at: 'd', side: 'down' }, 'c');
    const { panes, saved } = setUp([splitPane(leaf('a'), { at: 'a', side: 'right' }, 'b'), two]);
    panes.put('b', { at: 'c', side: 'left' });
    expect(saved().map(leavesOf)).toEqual([['d', 'b', 'c']]);
  });

  test('terminals that are gone leave them, whatever was saved', () => {
    const { terminals, shown, all } = setUp([THREE, THREE, splitPane(leaf('d'), { at: 'd', side: 'up' }, 'x')]);
    all('a', 'c', 'd');
    expect(shown()).toEqual(['a', 'c']);
    expect(terminals.panes.isSplit('d')).toBe(false);
  });
});

test('what is dragged takes the half that the pointer is nearest to the edge of', () => {
  const box = { left: 100, top: 50, width: 400, height: 200 };
  expect(halfAt(box, { x: 110, y: 150 })).toBe('left');
  expect(halfAt(box, { x: 480, y: 120 })).toBe('right');
  expect(halfAt(box, { x: 300, y: 60 })).toBe('up');
  expect(halfAt(box, { x: 320, y: 240 })).toBe('down');
});
