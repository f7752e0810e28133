import { describe, expect, test } from 'vitest';
import type { Approval } from '../../../src-main/contract/mcp/approval.ts';
import { dropPlace } from '../../../src-renderer/tabs/dragOrder.ts';
import { TerminalState } from '../../../src-renderer/tabs/TerminalState.svelte.ts';
import { formatAge, statusWords, windowTitle } from '../../../src-renderer/tabs/tabLook.ts';
import { terminalView } from '../support/fakeRpc.ts';

const tab = (change = {}) => new TerminalState(terminalView({ id: 'a', ...change }));
const MINUTE_MS = 60_000;

test.each([
  [0, ''],
  [59_999, ''],
  [6 * MINUTE_MS, '6 m'],
  [134 * MINUTE_MS, '2 h 14 m'],
  [72 * 60 * MINUTE_MS, '3 d'],
])('%i ms are %j', (ms, shown) => {
  expect(formatAge(ms)).toBe(shown);
});

describe('a tab in which a client asks', () => {
  const approval = (change: Partial<Approval>) =>
    ({ kind: 'command', client: { title: 'Quay' }, shown: [{ text: 'make', hidden: false }], ...change }) as Approval;
  const asking = (change: Partial<Approval> = {}, view = {}) =>
    new TerminalState(terminalView({ id: 'a', ...view }), () => approval(change));

  test('waits, whatever else is to be said of it, and counts in the window’s title', () => {
    const terminal = asking({}, { bell: true, runningBlockId: 'b', name: 'Pier' });
    expect(terminal.status).toBe('waits');
    expect(statusWords(terminal)).toBe('Quay asks to run “make”');
    expect(windowTitle(terminal, [terminal], () => 'quay:~/src')).toBe('(1) Pier — quay:~/src');
  });

  test('that has ended waits no more', () => {
    expect(asking({}, { state: 'exited', exitCode: 0 }).status).toBe('exited');
  });
});

test('every status has words for those who do not see the dot', () => {
  const states = [
    {},
    { bell: true },
    { runningBlockId: 'b' },
    { state: 'exited', exitCode: 0 },
    { state: 'exited', exitCode: 1 },
  ];
  const words = states.map((change) => statusWords(tab(change)));
  expect(new Set(words).size).toBe(states.length);
  expect(words.every((text) => text.length > 0)).toBe(true);
});

test('the window’s title says how many tabs rang, what runs and where', () => {
  const shown = tab({ name: 'Harbour' });
  expect(windowTitle(shown, [shown, tab({ bell: true })], () => '~/src')).toBe('(1) Harbour — ~/src');
  expect(windowTitle(undefined, [], () => '')).toBe('Hansard');
});

test('a tab is dropped after all whose middle lies before the pointer', () => {
  expect([0, 27, 28, 90].map((at) => dropPlace([27, 81], at))).toEqual([0, 0, 1, 2]);
});
