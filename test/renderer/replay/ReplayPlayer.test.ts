import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_WAIT_MS, PlayTime } from '../../../src-renderer/replay/PlayTime.ts';
import { type FrameClock, ReplayPlayer, type ReplayScreen } from '../../../src-renderer/replay/ReplayPlayer.svelte.ts';
import type { Recorded, RecordedEvent } from '../../../src-renderer/replay/readCast.ts';

/** Keeps all written text, and finishes each write a moment later, as an emulator does. */
class Screen implements ReplayScreen {
  shown = '';
  reset({ cols, rows }: { cols: number; rows: number }): void {
    this.shown = `[${cols}x${rows}]`;
  }
  write(text: string, done: () => void): void {
    this.shown += text;
    queueMicrotask(done);
  }
  resize({ cols, rows }: { cols: number; rows: number }): void {
    this.shown += `[${cols}x${rows}]`;
  }
}

class Clock implements FrameClock {
  #tick: ((nowMs: number) => void) | undefined;
  #nowMs = 0;
  run(tick: (nowMs: number) => void): () => void {
    this.#tick = tick;
    tick(this.#nowMs);
    return () => {
      this.#tick = undefined;
    };
  }
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 20) {
      this.#nowMs += Math.min(20, left);
      this.#tick?.(this.#nowMs);
      await settle();
    }
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

function record(events: RecordedEvent[], marks: Recorded['marks'] = []): Recorded {
  const lengthMs = Math.max(0, ...events.map(({ atMs }) => atMs), ...marks.map(({ atMs }) => atMs));
  return { title: null, startMs: null, size: { cols: 80, rows: 24 }, events, marks, lengthMs };
}

/** The expected screen at a recorded moment. */
const shownAt = ({ events }: Recorded, recordedMs: number) =>
  events
    .filter(({ atMs }) => atMs <= recordedMs)
    .reduce(
      (shown, event) => shown + (event.type === 'output' ? event.text : `[${event.cols}x${event.rows}]`),
      '[80x24]',
    );

const someEvents = fc
  .array(
    fc.record({
      waitMs: fc.oneof(fc.nat(900), fc.integer({ min: 1001, max: 90_000_000 })),
      event: fc.oneof(
        fc.string({ minLength: 1, maxLength: 4 }).map((text) => ({ type: 'output' as const, text })),
        fc.record({ type: fc.constant('resize' as const), cols: fc.integer({ min: 2, max: 9 }), rows: fc.constant(5) }),
      ),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((steps) => {
    let atMs = 0;
    return steps.map(({ waitMs, event }): RecordedEvent => {
      atMs += waitMs;
      return { ...event, atMs };
    });
  });

describe('the time that is played', () => {
  test('goes on with the recorded time, is exact at each moment, and no wait is longer than it may be', () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        const moments = events.map(({ atMs }) => atMs);
        const time = new PlayTime(moments, MAX_WAIT_MS);
        let lastMs = 0;
        for (const atMs of moments) {
          const playedMs = time.toPlayed(atMs);
          expect(time.toRecorded(playedMs)).toBeCloseTo(atMs, 3);
          expect(playedMs).toBeGreaterThanOrEqual(lastMs);
          expect(playedMs - lastMs).toBeLessThanOrEqual(MAX_WAIT_MS);
          lastMs = playedMs;
        }
        expect(time.lengthMs).toBe(lastMs);
      }),
    );
  });

  test('is the recorded time where waits are not skipped', () => {
    const time = new PlayTime([0, 5, 100_000], null);
    expect([time.toPlayed(40_000), time.toRecorded(40_000), time.lengthMs]).toEqual([40_000, 40_000, 100_000]);
  });
});

describe('a replay', () => {
  test('shows all that was printed until its position, however that was reached', async () => {
    const act = fc.oneof(
      fc.record({ seek: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.constantFrom({ jump: 'previous' as const }, { jump: 'next' as const }),
      fc.record({ skip: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(someEvents, fc.array(act, { maxLength: 6 }), async (events, acts) => {
        const marks = events.filter((_, at) => at % 3 === 0).map(({ atMs }) => ({ atMs, label: 'a mark' }));
        const recorded = record(events, marks);
        const screen = new Screen();
        const player = new ReplayPlayer(recorded, screen, new Clock());
        for (const one of acts) {
          if ('seek' in one) player.seek(one.seek * player.time.lengthMs);
          else if ('jump' in one) player.jump(one.jump);
          else player.setSkipsWaits(one.skip);
          await settle();
          const shownMs = Math.ceil(player.time.toRecorded(player.positionMs) - 1e-6);
          expect(screen.shown).toBe(shownAt(recorded, shownMs));
        }
        player.seek(player.time.lengthMs);
        await settle();
        expect(screen.shown).toBe(shownAt(recorded, recorded.lengthMs));
        player.dispose();
      }),
      { numRuns: 40 },
    );
  });

  test('plays at its speed, skips waits, ends, and plays again', async () => {
    const clock = new Clock();
    const screen = new Screen();
    const recorded = record([
      { type: 'output', text: 'a', atMs: 0 },
      { type: 'output', text: 'b', atMs: 600 },
      { type: 'output', text: 'c', atMs: 3_600_600 },
    ]);
    const player = new ReplayPlayer(recorded, screen, clock);
    await settle();
    expect(screen.shown).toBe('[80x24]a');
    player.play();
    await clock.pass(590);
    expect(screen.shown).toBe('[80x24]a');
    await clock.pass(20);
    expect(screen.shown).toBe('[80x24]ab');
    player.speed = 16;
    await clock.pass(100);
    expect([screen.shown, player.isPlaying, player.positionMs]).toEqual(['[80x24]abc', false, 1600]);
    player.toggle();
    expect([player.isPlaying, player.positionMs]).toEqual([true, 0]);
    player.dispose();
  });

  test('goes from mark to mark', () => {
    const marks = [
      { atMs: 0, label: 'one' },
      { atMs: 5000, label: 'two' },
      { atMs: 9000, label: 'three' },
    ];
    const player = new ReplayPlayer(
      record([{ type: 'output', text: 'x', atMs: 9500 }], marks),
      new Screen(),
      new Clock(),
    );
    player.setSkipsWaits(false);
    const stops = (['next', 'next', 'next', 'previous', 'previous'] as const).map((to) => {
      player.jump(to);
      return player.mark?.label;
    });
    expect(stops).toEqual(['two', 'three', 'three', 'three', 'two']);
    player.dispose();
  });
});
