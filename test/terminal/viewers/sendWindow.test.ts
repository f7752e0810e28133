import { expect, test } from 'vitest';
import { MAX_UNACKED_BYTES, SendWindow } from '../../../src-main/terminal/viewers/SendWindow.ts';

interface Line {
  bytesPerMs: number;
  /** Round trip of a byte on an idle line. */
  roundTripMs: number;
  /** Round trip from the fifth second on. */
  laterRoundTripMs?: number;
}

const FLOOD_MS = 60_000;

/** Simulates a flood over a line. Returns the longest wait of a byte for earlier bytes, and the used share of the line in the last 20 s. */
function flood({ bytesPerMs, roundTripMs, laterRoundTripMs = roundTripMs }: Line): { waitedMs: number; used: number } {
  const window = new SendWindow();
  window.begin(0, false);
  let freeMs = 0;
  let waitedMs = 0;
  let sentEarly = 0;
  const acks: { atMs: number; offset: number }[] = [];
  for (let nowMs = 0; nowMs < FLOOD_MS; nowMs += 1) {
    for (; acks[0] && acks[0].atMs <= nowMs; acks.shift()) window.ack(acks[0].offset, nowMs);
    while (!window.isFull) {
      window.send(window.itemBytes, nowMs);
      freeMs = Math.max(freeMs, nowMs) + window.itemBytes / bytesPerMs;
      if (nowMs > 5_000) waitedMs = Math.max(waitedMs, freeMs - nowMs);
      acks.push({ atMs: freeMs + (nowMs < 5_000 ? roundTripMs : laterRoundTripMs), offset: window.sent });
    }
    if (nowMs < FLOOD_MS - 20_000) sentEarly = window.sent;
  }
  return { waitedMs, used: (window.sent - sentEarly) / (20_000 * bytesPerMs) };
}

test.each([
  ['1 Mbit/s', { bytesPerMs: 125, roundTripMs: 20 }],
  ['1 Mbit/s and 200 ms away', { bytesPerMs: 125, roundTripMs: 200 }],
  ['8 Mbit/s and 100 ms away', { bytesPerMs: 1_000, roundTripMs: 100 }],
  ['8 Mbit/s that takes another way, 400 ms longer', { bytesPerMs: 1_000, roundTripMs: 20, laterRoundTripMs: 420 }],
])('a flood over a line of %s fills it, and lets others wait for half a second at most', (_name, line) => {
  const { waitedMs, used } = flood(line);
  expect(waitedMs).toBeLessThan(500);
  expect(used).toBeGreaterThan(0.9);
});

test('a window that is hidden and answers once a second gets most of what its line carries', () => {
  expect(flood({ bytesPerMs: 125, roundTripMs: 20, laterRoundTripMs: 1_000 }).used).toBeGreaterThan(0.5);
});

test('a viewer beside the core gets as much as ever may be on the way', () => {
  const window = new SendWindow();
  window.begin(0, false);
  for (let nowMs = 0; nowMs < 100; nowMs += 2) {
    window.send(window.itemBytes, nowMs);
    window.ack(window.sent, nowMs + 2);
  }
  let waiting = 0;
  for (; !window.isFull; waiting += window.itemBytes) window.send(window.itemBytes, 200);
  expect(waiting).toBeGreaterThanOrEqual(MAX_UNACKED_BYTES);
});

test('an acknowledgement of what was never sent counts for nothing', () => {
  const window = new SendWindow();
  window.begin(100, true);
  window.ack(1e12, 0);
  expect([window.sent, window.isFull, window.behind(100 + MAX_UNACKED_BYTES + 1)]).toEqual([100, false, 'state']);
});
