import { describe, expect, test } from 'vitest';
import { Actions } from '../../../src-renderer/app/Actions.svelte.ts';
import { Keys, type KeyZone } from '../../../src-renderer/app/Keys.svelte.ts';
import { SettingsState } from '../../../src-renderer/settings/SettingsState.svelte.ts';
import { fakeRpc, usualSettings } from '../support/fakeRpc.ts';

function setUp(keys: Record<string, string> = {}) {
  const actions = new Actions();
  const settings = new SettingsState(fakeRpc().rpc, { ...usualSettings, keys });
  const table = new Keys(actions, settings, { platform: 'linux', isBrowser: true });
  const add = (id: string, chords: string, when = () => true) =>
    actions.register({ id, title: id, group: 'G', keys: chords, when, run: () => undefined });
  const find = (key: string, held: Partial<KeyboardEvent>, zone: KeyZone = 'none') =>
    table.find(
      { key, code: '', ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, ...held } as KeyboardEvent,
      zone,
    )?.id;
  return { actions, table, settings, add, find };
}

describe('the action of a key press', () => {
  test('a program that has the keys keeps its control characters; a chord it cannot tell apart is the window’s', () => {
    const { add, find } = setUp();
    add('close', 'Mod+W Mod+Shift+W');
    expect(find('w', { ctrlKey: true }, 'program')).toBeUndefined();
    expect(find('W', { ctrlKey: true, shiftKey: true }, 'program')).toBe('close');
    expect(find('w', { ctrlKey: true }, 'none')).toBe('close');
  });

  test('Ctrl+W in the command editor kills a word and does not close the tab', () => {
    const { add, find } = setUp();
    add('close', 'Mod+W');
    expect(find('w', { ctrlKey: true }, 'line')).toBeUndefined();
  });

  test('the keys that every terminal scrolls by scroll from the command editor and a program, not from another text', () => {
    const { add, find } = setUp();
    add('page', 'Shift+PageUp');
    const zones = ['line', 'program', 'none', 'text'] as const;
    const found = zones.map((zone) => find('PageUp', { shiftKey: true }, zone));
    expect(found).toEqual(['page', 'page', 'page', undefined]);
  });

  test('a single letter acts on a card and types in a text', () => {
    const { add, find } = setUp();
    add('copy', 'C');
    expect([find('c', {}, 'none'), find('c', {}, 'text'), find('c', {}, 'line')]).toEqual([
      'copy',
      undefined,
      undefined,
    ]);
  });

  test('of two actions with one key the later that makes sense is taken', () => {
    const { add, find } = setUp();
    let isPossible = true;
    add('first', 'F5');
    add('second', 'F5', () => isPossible);
    expect(find('F5', {})).toBe('second');
    isPossible = false;
    expect(find('F5', {})).toBe('first');
  });

  test('settings replace an action’s keys, and an empty text takes them away', () => {
    const { add, find } = setUp({ a: 'Ctrl+Y', b: '' });
    add('a', 'F5');
    add('b', 'F6');
    expect([find('F5', {}), find('y', { ctrlKey: true }), find('F6', {})]).toEqual([undefined, 'a', undefined]);
  });
});

test('a key that the browser keeps for itself is not what people are told to press', () => {
  const { add, table } = setUp();
  add('new', 'Mod+T Mod+Shift+T Alt+Shift+T');
  add('palette', 'Mod+Shift+P Alt+Shift+P');
  expect(['new', 'palette', 'unknown'].map((id) => table.hint(id))).toEqual(['Alt+Shift+T', 'Alt+Shift+P', '']);
});

test('actions that share a key are named as a conflict until one of them is gone', () => {
  const { add, table } = setUp();
  add('a', 'Ctrl+K');
  const stop = add('b', 'Mod+K F7');
  expect([...table.conflicts]).toEqual([['Ctrl+K', ['a', 'b']]]);
  stop();
  expect([...table.conflicts]).toEqual([]);
});

test('an action registered again by its successor survives the end of its predecessor', () => {
  const { actions } = setUp();
  const old = actions.register({ id: 'x', title: 'old', group: 'G', run: () => undefined });
  actions.register({ id: 'x', title: 'new', group: 'G', run: () => undefined });
  old();
  expect(actions.get('x')?.title).toBe('new');
});

test('an action that makes no sense now does not run', () => {
  const { actions } = setUp();
  let runs = 0;
  actions.register({ id: 'x', title: 'x', group: 'G', when: () => false, run: () => runs++ });
  expect([actions.run('x'), actions.run('unknown'), runs]).toEqual([false, false, 0]);
});
