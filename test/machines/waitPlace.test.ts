import { expect, test } from 'vitest';
import { AskedWait, WaitPlace } from '../../src-main/machines/merge/WaitPlace.ts';
import { FakeClock } from '../support/FakeClock.ts';

const WAIT = AskedWait.parse({ terminalId: 't', conditions: [{ type: 'match', pattern: 'x' }] });
const SCREEN = { seq: 7, epoch: 'e', frame: {} };

test.each([
  ['continues at its screen', WAIT, SCREEN, { ...WAIT, timeoutMs: 20_000, since: 7, epoch: 'e', whole: true }],
  [
    'with a place keeps it',
    { ...WAIT, since: 3, epoch: 'd' },
    undefined,
    { ...WAIT, since: 3, epoch: 'd', timeoutMs: 20_000 },
  ],
  ['whose time is over is judged once', { ...WAIT, timeoutMs: 5_000 }, undefined, { ...WAIT, timeoutMs: 0 }],
])('after a lost connection, a wait %s', (_name, wait, screen, again) => {
  const clock = new FakeClock();
  const place = new WaitPlace(wait, clock);
  expect(place.input()).toEqual(wait);
  if (screen) place.take(screen);
  clock.advance(10_000);
  expect(place.input()).toEqual(again);
});

test('a wait gets no place from a hostile machine', () => {
  const place = new WaitPlace(WAIT, new FakeClock());
  expect(() => place.take({ seq: -1, epoch: {} })).toThrow('the machine does not say which screen the wait began at');
});
