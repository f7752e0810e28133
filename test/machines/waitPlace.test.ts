import { expect, test } from 'vitest';
import { WaitPlace } from '../../src-main/machines/merge/WaitPlace.ts';
import { FakeClock } from '../support/FakeClock.ts';

const WAIT = { terminalId: 't', conditions: [{ type: 'match', pattern: 'x' }] };
const SCREEN = { seq: 7, epoch: 'e', frame: {} };

test.each([
  ['continues at its screen', WAIT, SCREEN, { ...WAIT, timeoutMs: 20_000, since: 7, epoch: 'e', whole: true }],
  [
    'with a place keeps it',
    { ...WAIT, since: 3, epoch: 'd' },
    SCREEN,
    { ...WAIT, since: 3, epoch: 'd', timeoutMs: 20_000 },
  ],
  ['that had not begun begins', WAIT, undefined, { ...WAIT, timeoutMs: 20_000 }],
  ['gets no place from a hostile machine', WAIT, { seq: -1, epoch: {} }, { ...WAIT, timeoutMs: 20_000 }],
  ['whose time is over is judged once', { ...WAIT, timeoutMs: 5_000 }, undefined, { ...WAIT, timeoutMs: 0 }],
])('after a lost connection, a wait %s', (_name, wait, screen, again) => {
  const clock = new FakeClock();
  const place = new WaitPlace(clock);
  expect(place.inputFrom(wait)).toEqual(wait);
  if (screen) place.take(screen);
  clock.advance(10_000);
  expect(place.inputFrom(wait)).toEqual(again);
});
