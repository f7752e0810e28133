import { describe, expect, test } from 'vitest';
import type { PaneTree } from '../../../src-main/contract/panes.ts';
import { halfAt } from '../../../src-renderer/panes/dragPanes.ts';
import { leaf, leavesOf, splitPane } from '../../../src-renderer/panes/paneTree.ts';
import { Terminals } from '../../../src-renderer/tabs/Terminals.svelte.ts';
import { fakeRpc, terminalView } from '../support/fakeRpc.ts';

/** `a` on the left, `b` above `c` on the right. */
const THREE = splitPane(splitPane(leaf('a'), { at: 'a', side: 'right' }, 'b'), { at: 'b', side: 'down' }, 'c');

function setUp(panes: PaneTree[] = [THREE], active = 'a', ids = ['a', 'b', 'c', 'd'], unheard: string[] = []) {
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
  terminals.apply({ type: 'all', terminals: ids.map((id) => terminalView({ id })), unheard });
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

  describe('of a machine that has not sent its terminals yet', () => {
    const far = 'on-abc123-x';
    const beside = (one: string, other: string) => splitPane(leaf(one), { at: one, side: 'right' }, other);
    const views = (...ids: string[]) => ids.map((id) => terminalView({ id }));
    function waiting(panes: PaneTree[], active = 'a') {
      const made = setUp(panes, active, ['a', 'b', 'c', 'd'], ['abc123']);
      const arrive = (...ids: string[]) =>
        made.terminals.apply({ type: 'all', terminals: views('a', 'b', 'c', 'd', ...ids) });
      return { ...made, arrive };
    }

    test('come back in their places with it, and are saved meanwhile', () => {
      const tree = splitPane(beside('a', far), { at: far, side: 'down' }, 'on-abc123-y');
      const only = beside('on-abc123-u', 'on-abc123-v');
      const { terminals, panes, shown, saved, arrive } = waiting([tree, only, beside('c', 'd')]);
      expect(shown()).toEqual(['a']);
      panes.moveEdge('c', 'right');
      expect(saved().map(leavesOf)).toEqual([['a', far, 'on-abc123-y'], leavesOf(only), ['c', 'd']]);
      arrive(far, 'on-abc123-y', 'on-abc123-u', 'on-abc123-v');
      expect([shown(), terminals.panes.treeOf('a'), terminals.panes.treeOf('on-abc123-v')]).toEqual([
        ...[['a', far, 'on-abc123-y'], tree, only],
      ]);
    });

    test('have what the person did to their tab meanwhile', () => {
      const { terminals, panes, saved, arrive } = waiting([
        splitPane(beside('a', 'b'), { at: 'b', side: 'down' }, far),
      ]);
      panes.put('c', { at: 'a', side: 'up' });
      panes.takeOut('b');
      terminals.apply({ type: 'removed', id: 'd' });
      expect(saved().map(leavesOf)).toEqual([['c', 'a', far]]);
      arrive(far);
      expect(leavesOf(panes.treeOf(far))).toEqual(['c', 'a', far]);
      expect(panes.isSplit('b')).toBe(false);
    });

    test('leave a tab that the person took apart, and those of terminals that have ended', () => {
      const { panes, saved, arrive } = waiting([beside('a', far), beside('b', 'on-abc123-y')]);
      panes.put('a', { at: 'c', side: 'left' });
      expect(saved().map(leavesOf)).toEqual([
        ['b', 'on-abc123-y'],
        ['a', 'c'],
      ]);
      arrive(far);
      expect([panes.isSplit(far), panes.isSplit('b')]).toEqual([false, false]);
      panes.moveEdge('a', 'right');
      expect(saved().map(leavesOf)).toEqual([['a', 'c']]);
    });

    test('leave the focus to a pane beside them', () => {
      const { terminals, arrive } = waiting([beside('c', far)], far);
      expect(terminals.activeId).toBe('c');
      arrive(far);
      expect(terminals.shown.map(({ id }) => id)).toEqual(['c', far]);
    });
  });
});

test('what is dragged takes the half that the pointer is nearest to the edge of', () => {
  const box = { left: 100, top: 50, width: 400, height: 200 };
  expect(halfAt(box, { x: 110, y: 150 })).toBe('left');
  expect(halfAt(box, { x: 480, y: 120 })).toBe('right');
  expect(halfAt(box, { x: 300, y: 60 })).toBe('up');
  expect(halfAt(box, { x: 320, y: 240 })).toBe('down');
});
