import { expect, test } from 'vitest';
import { ClockLead, onOurClock } from '../../src-main/machines/ourClock.ts';
import type { RemoteApi, RemoteListener } from '../../src-main/machines/RemoteApi.ts';
import { FakeClock } from '../support/FakeClock.ts';

const DAY_MS = 86_400_000;

/** A machine whose clock is `aheadMs` ahead, and answers each call after `answersMs` with `answer`. */
function machineWith(aheadMs: number, { answersMs = 0, answer = {} as unknown } = {}) {
  const clock = new FakeClock();
  const there = { aheadMs, answersMs, answer, asked: [] as unknown[], listener: null as RemoteListener | null };
  const api: RemoteApi = {
    call: async (_type, path, input) => {
      there.asked.push(input);
      clock.advance(there.answersMs);
      return path === 'machine.ping' ? { nowMs: clock.nowMs() + there.aheadMs } : there.answer;
    },
    subscribe: (_path, input, listener) => {
      there.asked.push(input);
      there.listener = listener;
      return { unsubscribe: () => undefined };
    },
    lost: new Promise(() => undefined),
    dispose: () => undefined,
  };
  const lead = new ClockLead();
  const here = onOurClock(api, lead, clock);
  const ping = (): Promise<unknown> => here.call('query', 'machine.ping', undefined);
  return { clock, there, here, lead, ping };
}

test('its times are those of the clock here, its durations stay, and it is asked in its own times', async () => {
  const { clock, there, here, ping } = machineWith(3 * DAY_MS);
  await ping();
  const nowMs = clock.nowMs();
  const block = (startedMs: number, endedMs: number | null) => ({
    startedMs,
    endedMs,
    durationMs: 5,
    text: 'startedMs',
  });
  there.answer = { blocks: [block(nowMs + 3 * DAY_MS, null)], questions: { sinceMs: 0 } };
  expect(await here.call('query', 'block.page', { sinceMs: nowMs, limit: 5 })).toEqual({
    ...{ blocks: [block(nowMs, null)], questions: { sinceMs: 0 } }, // no time
  });
  expect(there.asked.at(-1)).toEqual({ sinceMs: nowMs + 3 * DAY_MS, limit: 5 });
  const seen: unknown[] = [];
  const end = (): void => expect.unreachable();
  here.subscribe(
    'block.onChange',
    { untilMs: nowMs },
    { onData: (value) => seen.push(value), onError: end, onComplete: end },
  );
  there.listener?.onData({ block: block(nowMs + 3 * DAY_MS, nowMs + 4 * DAY_MS) });
  expect([there.asked.at(-1), seen]).toEqual([
    { untilMs: nowMs + 3 * DAY_MS },
    [{ block: block(nowMs, nowMs + DAY_MS) }],
  ]);
});

test.each([
  ['agrees', 1_900, 0, 0],
  ['cannot be told from one that agrees, over a slow line', -9_000, 20_000, 0],
  ['is behind over a slow line', -60_000, 1_000, -60_500 + 1_000],
  ['is ahead', 10_000, 0, 10_000],
])('a clock that %s', async (_, aheadMs, answersMs, measuredMs) => {
  const { lead, ping } = machineWith(aheadMs, { answersMs });
  await ping();
  expect(lead.aheadMs).toBe(measuredMs);
});

test('a clock is measured once and stays measured, until one of the two is set', async () => {
  const { clock, there, lead, ping } = machineWith(DAY_MS, { answersMs: 100 });
  await ping();
  const first = lead.aheadMs;
  there.answersMs = 900;
  await ping();
  expect(lead.aheadMs).toBe(first);
  there.aheadMs = 0; // a time server answered there
  await ping();
  expect(lead.aheadMs).toBe(0);
  clock.jump(-DAY_MS); // the clock here is set: both agree still
  await ping();
  expect(lead.aheadMs).toBe(0);
});

test.each([{ nowMs: 1e300 }, { nowMs: '5' }, undefined, null, 5])('%j is no time of a clock', async (answer) => {
  const { there, here, lead } = machineWith(0);
  there.answer = answer;
  expect(await here.call('query', 'system.info', undefined)).toEqual(answer);
  expect(lead.aheadMs).toBe(0);
});

test('an answer that is nested without end is left to the reader, which refuses it', async () => {
  const { there, here, ping } = machineWith(DAY_MS);
  await ping();
  let nested: unknown = { atMs: 2 * DAY_MS };
  for (let depth = 0; depth < 5_000; depth += 1) nested = { nested };
  there.answer = nested;
  expect(await here.call('query', 'screen.read', undefined)).not.toBe(nested);
});

test('an answer that is read after this machine slept says nothing of the clock there', async () => {
  const { clock, here, lead, there } = machineWith(0, { answersMs: 0 });
  const call = here.call('query', 'machine.ping', undefined); // read there at once
  clock.jump(8 * 3_600_000); // asleep: only the time of day counts it
  await call;
  expect([there.asked.length, lead.aheadMs]).toEqual([1, 0]);
});
