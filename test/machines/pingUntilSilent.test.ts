import { expect, test } from 'vitest';
import { pingUntilSilent } from '../../src-main/machines/pingUntilSilent.ts';
import type { RemoteApi } from '../../src-main/machines/RemoteApi.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { soon } from '../support/soon.ts';

/** A clock whose time of day advances without its timers, as in a sleeping machine. */
class SleepingClock extends FakeClock {
  #sleptMs = 0;

  override nowMs(): number {
    return super.nowMs() + this.#sleptMs;
  }

  sleep(ms: number): void {
    this.#sleptMs += ms;
  }
}

/** A line that answers pings while `isAlive`, and sends other bytes every second while `isBusy`. */
function lineOn(clock: SleepingClock) {
  const closing = new AbortController();
  const close = () => closing.abort();
  const line = { isAlive: true, isBusy: false, pings: 0, answers: 0, slow: 0, hasEnded: false, close };
  const call = (): Promise<unknown> => {
    line.pings += 1;
    return new Promise((resolve) => {
      if (line.isAlive) setImmediate(resolve); // like data of a socket, the answer arrives in a later turn
    });
  };
  let seconds = 0;
  const ended = pingUntilSilent({ call } as unknown as RemoteApi, clock, {
    signal: closing.signal,
    heardBytes: () => {
      if (line.isBusy) seconds = Math.floor(clock.monotonicMs() / 1_000);
      return seconds;
    },
    onLatency: () => {
      line.answers += 1;
    },
    onSlow: () => {
      line.slow += 1;
    },
  });
  void ended.then(() => {
    line.hasEnded = true;
  });
  return line;
}

/** Advances the clock in small steps, so that promises settle in between. */
async function pass(clock: SleepingClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    clock.advance(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test.each([
  ['between two looks', 2_000],
  ['while it is looked at', 5_250],
])('a line that died in the sleep of this machine is given up three seconds after it, %s', async (_name, beforeMs) => {
  const clock = new SleepingClock();
  const line = lineOn(clock);
  await soon(() => line.answers).toBe(1);
  line.isAlive = false;
  await pass(clock, beforeMs);
  clock.sleep(24 * 3_600_000);
  expect(line.hasEnded).toBe(false);
  await pass(clock, 3_500);
  expect(line.hasEnded).toBe(true);
});

test('a line that lives is kept after a sleep', async () => {
  const clock = new SleepingClock();
  const line = lineOn(clock);
  await soon(() => line.answers).toBe(1);
  await pass(clock, 2_000);
  clock.sleep(24 * 3_600_000);
  await pass(clock, 1_250);
  expect(line.answers).toBe(2);
  await pass(clock, 30_000);
  expect(line.hasEnded).toBe(false);
  line.isAlive = false;
  await pass(clock, 66_000);
  expect(line.hasEnded).toBe(true);
});

test('a pause of this process is no silence of the line: the answer is read first', async () => {
  const clock = new SleepingClock();
  const line = lineOn(clock);
  clock.advance(24 * 3_600_000);
  await pass(clock, 1_000);
  expect(line.answers).toBeGreaterThan(0);
  expect(line.hasEnded).toBe(false);
});

test('a line on which bytes arrive is slow without an answer, and not lost', async () => {
  const clock = new SleepingClock();
  const line = lineOn(clock);
  await soon(() => line.answers).toBe(1);
  Object.assign(line, { isAlive: false, isBusy: true });
  await pass(clock, 7_000);
  expect(line.slow).toBe(0);
  await pass(clock, 3_600_000);
  expect([line.hasEnded, line.slow]).toEqual([false, 1]);
  line.isBusy = false;
  await pass(clock, 61_000);
  expect(line.hasEnded).toBe(true);
});

test('bytes that arrive within two seconds after a sleep keep the line', async () => {
  const clock = new SleepingClock();
  const line = lineOn(clock);
  await soon(() => line.answers).toBe(1);
  Object.assign(line, { isAlive: false, isBusy: true });
  clock.sleep(24 * 3_600_000);
  await pass(clock, 10_000);
  expect(line.hasEnded).toBe(false);
});

test('a core that is starved for half a minute is slow, and answers on the same line', async () => {
  const clock = new SleepingClock();
  const line = lineOn(clock);
  await soon(() => line.answers).toBe(1);
  line.isAlive = false;
  await pass(clock, 30_000);
  expect([line.hasEnded, line.slow]).toEqual([false, 1]);
});

test.each([
  ['between two pings', true],
  ['while an answer is owed', false],
])('a line that is closed %s ends at once, without another ping or a timer', async (_name, isAlive) => {
  const clock = new SleepingClock();
  const line = lineOn(clock);
  await soon(() => line.answers).toBe(1);
  line.isAlive = isAlive;
  await pass(clock, 6_000);
  const { pings } = line;
  line.close();
  await soon(() => line.hasEnded).toBe(true);
  expect([line.pings, clock.pending]).toEqual([pings, 0]);
});
