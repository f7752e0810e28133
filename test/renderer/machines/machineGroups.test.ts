import { expect, test } from 'vitest';
import { groupTerminals } from '../../../src-main/shared/groupTerminals.ts';
import { machineGroups } from '../../../src-renderer/machines/machineGroups.ts';
import { initials, shortState, stateWords } from '../../../src-renderer/machines/machineWords.ts';
import { matchingChoices } from '../../../src-renderer/machines/matchingChoices.ts';
import { aMachine } from '../../support/aMachine.ts';

const quay = aMachine({ key: 'quay01', name: 'quay' });
const pier = aMachine({ key: 'pier02', name: 'pier', state: 'off' });
const terminal = (id: string, cwd = '/src') => ({ id, cwd });
const shape = (groups: ReturnType<typeof machineGroups>) =>
  groups.map(({ machine, groups: own }) => [
    machine?.name ?? 'here',
    ...own.map(({ root, terminals }) => `${root}: ${terminals.map(({ id }) => id).join(' ')}`),
  ]);

test('terminals stand by machine, this one first, and a machine without terminals is there too', () => {
  const list = ['on-quay01-b', 'a', 'on-gone03-x', 'on-quay01-c'].map((id) => terminal(id));
  const rootOf = { 'on-quay01-c': 'on-quay01-/work' };
  expect(shape(machineGroups(groupTerminals(list, rootOf, []), [pier, quay]))).toEqual([
    ['here', '/src: a', 'on-gone03-/src: on-gone03-x'],
    ['pier'],
    ['quay', 'on-quay01-/src: on-quay01-b', 'on-quay01-/work: on-quay01-c'],
  ]);
});

test('without projects each machine has one list, in the order of the tabs', () => {
  const list = ['on-quay01-b', 'a', 'on-quay01-c', 'd'].map((id) => terminal(id));
  expect(shape(machineGroups([{ root: '', terminals: list }], [quay]))).toEqual([
    ['here', ': a d'],
    ['quay', 'quay01: on-quay01-b on-quay01-c'],
  ]);
});

const SECRET = { id: 'q', kind: 'secret', text: 'Password:' } as const;

test.each([
  [{}, '12 ms'],
  [{ latencyMs: null }, 'connected'],
  [{ isSlow: true }, 'slow'],
  [{ isCut: true }, 'cut'],
  [{ state: 'connecting', step: { words: 'setup', percent: 34.4 } }, 'copying 34 %'],
  [{ state: 'connecting', step: { words: 'ssh', percent: null } }, 'ssh…'],
  [{ state: 'connecting', question: SECRET }, 'needs an answer'],
  [{ state: 'lost', retryMs: 8_400 }, 'reconnecting in 8 s'],
  [{ state: 'lost', retryMs: 1_000 }, 'reconnecting…'],
  [{ state: 'lost' }, 'reconnecting…'],
  [{ state: 'failed' }, 'could not connect'],
  [{ state: 'off' }, 'off'],
] as const)('a machine that is %j says “%s”', (change, words) => {
  expect(shortState(aMachine({ key: 'quay01', name: 'quay', ...change }), 1_000)).toBe(words);
});

test('the words for a screen reader do not change by the second', () => {
  const lost = aMachine({ key: 'quay01', name: 'quay', state: 'lost', reason: 'The network is down.', retryMs: 9_000 });
  expect(stateWords(lost)).toBe('connection lost\nThe network is down.');
});

test.each([
  ['devbox', 'de'],
  ['ada@quay.example', 'qu'],
])('%s is %s where there is no room', (name, short) => {
  expect(initials(name)).toBe(short);
});

test.each([
  ['', ['pier', 'quay', 'old-pier']],
  ['pie', ['pier', 'old-pier']],
  ['EXAMPLE', ['quay']],
  ['pier old', ['old-pier']],
  ['ship', []],
])('“%s” finds %j', (typed, names) => {
  const choices = [
    { name: 'pier', hostName: null },
    { name: 'quay', hostName: '10.0.0.1.example' },
    { name: 'old-pier', hostName: null },
  ];
  expect(matchingChoices(choices, typed).map(({ name }) => name)).toEqual(names);
});
