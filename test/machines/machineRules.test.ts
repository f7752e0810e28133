import { expect, test } from 'vitest';
import { z } from 'zod';
import { MAX_LIST_CHARS } from '../../src-main/machines/BoundedItems.ts';
import { MAX_ITEMS_PER_SECOND } from '../../src-main/machines/ChangePace.ts';
import type { MachineLink } from '../../src-main/machines/MachineLink.ts';
import { answerOf, routeOf } from '../../src-main/machines/merge/routes.ts';
import type { RemoteApi, RemoteListener } from '../../src-main/machines/RemoteApi.ts';
import { MachineError } from '../../src-main/machines/RemoteApi.ts';
import { RemoteKeys } from '../../src-main/machines/RemoteKeys.ts';
import { type ListKind, RemoteList } from '../../src-main/machines/RemoteList.ts';
import { type MachineStatus, reduceMachine } from '../../src-main/machines/reduceMachine.ts';
import { MAX_ITEMS, RemoteNotification } from '../../src-main/machines/remoteShapes.ts';
import { explainEnd } from '../../src-main/machines/ssh/explainEnd.ts';
import { MAX_TITLE_CHARS } from '../../src-main/util/cleanText.ts';
import { aMachine } from '../support/aMachine.ts';
import { FakeClock } from '../support/FakeClock.ts';

test.each([
  ['me@box: Permission denied (publickey,password).', true],
  ['Permission denied, please try again.\nTimeout, server box not responding.', false],
  ['sh: /root/.rc: Permission denied\nclient_loop: send disconnect: Broken pipe', false],
  ['@@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @@\nHost key verification failed.', true],
])('an end of ssh is final only if the login or the key was refused: %s', (stderr, isFinal) => {
  expect(explainEnd(stderr, 255).isFinal).toBe(isFinal);
});

test('a question or a port that comes after the end is not shown', () => {
  const view = { key: 'aaaaaa', name: 'box', state: 'off', reason: null, retryMs: null, question: null } as const;
  const rest = {
    latencyMs: null,
    isSlow: false,
    isCut: false,
    info: null,
    step: { words: 'ssh', percent: null },
    forwards: [],
  } as const;
  const off: MachineStatus = { view: { ...view, ...rest }, tries: 0, wasUp: false };
  expect(reduceMachine(off, { type: 'asked', question: { id: '1', kind: 'secret', text: 'Password:' } })).toBe(off);
  expect(reduceMachine(off, { type: 'forwards', forwards: [{ port: 1, localPort: 1 }] })).toBe(off);
});

test('a slow machine is connected, and no longer slow once it answers or is lost', () => {
  const slow = reduceMachine(
    { view: aMachine({ key: 'aaaaaa', name: 'box' }), tries: 0, wasUp: true },
    { type: 'slow' },
  );
  expect(slow.view).toMatchObject({ state: 'connected', isSlow: true });
  expect(reduceMachine(slow, { type: 'latency', ms: 4_000 }).view).toMatchObject({ isSlow: false, latencyMs: 4_000 });
  const lost = reduceMachine(slow, { type: 'down', reason: 'The line went silent.', isFinal: false, atMs: 0 });
  expect(lost.view).toMatchObject({ state: 'lost', isSlow: false });
  expect(reduceMachine(lost, { type: 'slow' })).toBe(lost);
});

test('only ids of the machine that is asked lose its name', () => {
  expect(routeOf({ id: 'on-aaaaaa-x', terminalId: 'on-bbbbbb-y' })).toEqual({
    key: 'aaaaaa',
    input: { id: 'x', terminalId: 'on-bbbbbb-y' },
  });
});

test('what a machine did not search is named as its own', () => {
  const end = { type: 'end', notSearched: [{ terminalId: 't', id: 'b' }] };
  expect(answerOf('aaaaaa', 'search.find', end)).toMatchObject({ notSearched: [{ terminalId: 'on-aaaaaa-t' }] });
});

const IDS: ListKind<string> = {
  ...{ path: 'x', shape: z.string(), rename: (_key: string, item: string) => item },
  ...{ idOf: (item: string) => item, idOfGone: (_key: string, id: string) => id },
  parts: (change) => change as { put: unknown },
};

function listOf(...keys: string[]) {
  const clock = new FakeClock();
  const list = new RemoteList(IDS, clock);
  const say: Record<string, (change: unknown) => void> = {};
  for (const key of keys) {
    const subscribe = (_path: string, _input: unknown, { onData }: RemoteListener) => {
      say[key] = onData;
      return { unsubscribe: () => undefined };
    };
    list.follow(key, { subscribe } as unknown as MachineLink);
  }
  return { list, say, clock };
}

test('a machine cannot put its item in the place of another machine’s, nor remove it', () => {
  const { list, say } = listOf('aaaaaa', 'bbbbbb');
  say.aaaaaa?.({ put: 'conversation' });
  const changes: unknown[] = [];
  list.onChange((change) => changes.push(change));
  say.bbbbbb?.({ put: 'conversation' });
  say.bbbbbb?.({ all: ['conversation'] });
  say.bbbbbb?.({ gone: 'conversation' });
  expect(changes).toEqual([{ type: 'all', key: 'bbbbbb', items: [], gone: [] }]);
  expect(list.all).toEqual(['conversation']);
});

test('a full list loses its oldest item, not the new one', () => {
  const { list, say } = listOf('aaaaaa');
  say.aaaaaa?.({ all: Array.from({ length: MAX_ITEMS }, (_, at) => `${at}`) });
  say.aaaaaa?.({ put: 'new' });
  expect(list.all).toHaveLength(MAX_ITEMS);
  expect(list.all).toContain('new');
  expect(list.all).not.toContain('0');
  expect(list.isCut('aaaaaa')).toBe(true);
  say.aaaaaa?.({ all: Array.from({ length: MAX_ITEMS }, (_, at) => `${at}`) });
  expect(list.isCut('aaaaaa')).toBe(false);
  say.aaaaaa?.({ all: Array.from({ length: MAX_ITEMS + 1 }, (_, at) => `${at}`) });
  expect([list.isCut('aaaaaa'), list.all.includes('0'), list.all.includes(`${MAX_ITEMS}`)]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a machine’s items have a limit of size together, and one that is larger is not taken', () => {
  const { list, say } = listOf('aaaaaa');
  const changes: string[] = [];
  const large = (name: string) => name + 'x'.repeat(MAX_LIST_CHARS / 4);
  list.onChange((change) => changes.push(change.type === 'put' ? `put ${change.item[0]}` : change.type));
  for (const name of ['a', 'b', 'c', 'd']) say.aaaaaa?.({ put: large(name) });
  say.aaaaaa?.({ put: `e${'x'.repeat(MAX_LIST_CHARS)}` });
  expect(changes).toEqual(['put a', 'put b', 'put c', 'gone', 'put d', 'gone', 'gone', 'gone']);
  say.aaaaaa?.({ all: ['a', 'b', 'c', 'd', 'e'].map(large) });
  expect(list.all.map(([name]) => name)).toEqual(['c', 'd', 'e']);
});

test('changes beyond a limit reach the windows together, once a second', () => {
  const { list, say, clock } = listOf('aaaaaa');
  const changes: unknown[] = [];
  for (const id of ['kept', 'left']) say.aaaaaa?.({ put: id });
  for (let n = 2; n < MAX_ITEMS_PER_SECOND; n += 1) say.aaaaaa?.({ put: 'kept' });
  list.onChange((change) => changes.push(change));
  say.aaaaaa?.({ put: 'late' });
  say.aaaaaa?.({ gone: 'left' });
  say.aaaaaa?.({ all: ['kept', 'late', 'later'] });
  expect(changes).toEqual([]);
  clock.advance(1_000);
  expect(changes).toEqual([{ type: 'all', key: 'aaaaaa', items: ['kept', 'late', 'later'], gone: ['left'] }]);
  say.aaaaaa?.({ put: 'next' });
  expect(changes.at(-1)).toEqual({ type: 'put', item: 'next', isNew: true });
});

test('a machine’s names are one short line without characters that change how it reads', () => {
  const shown = RemoteNotification.shape.title.parse(`\u202e\u001b[2J<b>${'x'.repeat(8 * 1024 * 1024)}`);
  expect(shown).toMatch(/^\[2J<b>x+$/);
  expect(shown).toHaveLength(MAX_TITLE_CHARS);
});

test('keys are not sent again after this machine slept, though its own time rested', async () => {
  let wallMs = 0;
  const clock = { nowMs: () => wallMs, monotonicMs: () => 0, after: () => ({ dispose: () => undefined }) };
  const keys = new RemoteKeys({ clock, randomId: () => 'id' });
  const sent: unknown[] = [];
  const call = (_type: string, _path: string, input: unknown) => {
    sent.push(input);
    return Promise.reject(new MachineError('cut', 'cut'));
  };
  const api = { call } as unknown as RemoteApi;
  keys.up(api, 'core');
  const typed = keys.write('t', 'terminal.write', 'y\r');
  typed.catch(() => undefined);
  keys.down();
  wallMs = 8 * 3_600_000;
  keys.up(api, 'core');
  await expect(typed).rejects.toMatchObject({ kind: 'cut' });
  expect(sent).toHaveLength(1);
});
