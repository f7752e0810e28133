import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BackPressure } from '../../src-main/terminal/BackPressure.ts';
import { Emitter } from '../../src-main/util/Emitter.ts';
import { FakeClock } from '../support/FakeClock.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const BURST = 128 * KIB;
const PER_S = 128 * KIB;

/** A program that prints whenever it is not paused, and a screen that reads when the test drains it. */
class Bed {
  readonly clock = new FakeClock();
  readonly #drain = new Emitter<void>();
  readonly pressure: BackPressure;
  backlogBytes = 0;
  isAsked = false;
  isPaused = false;
  printed = 0;

  constructor() {
    const screen = Object.defineProperty({ onDrain: this.#drain.on, backlogBytes: 0 }, 'backlogBytes', {
      get: () => this.backlogBytes,
    });
    const hold = (isPaused: boolean) => () => {
      expect(this.isPaused).toBe(!isPaused);
      this.isPaused = isPaused;
    };
    const process = { pause: hold(true), resume: hold(false) };
    this.pressure = new BackPressure(screen, () => process, { clock: this.clock, isAsked: () => this.isAsked });
  }

  /** Prints a chunk unless paused. The pause comes after the chunk that causes it, as with a real pipe. */
  print(bytes: number): void {
    if (this.isPaused) return;
    this.printed += bytes;
    this.backlogBytes += bytes;
    this.pressure.fed(bytes);
  }

  drain(): void {
    this.backlogBytes = 0;
    this.#drain.fire();
  }
}

test('a flood has 128 KiB a second while somebody asks, and all it wants when nobody does', () => {
  const bed = new Bed();
  const flood = (ms: number, bytes = 64 * KIB): number => {
    const before = bed.printed;
    for (let at = 0; at < ms; at += 1) {
      bed.print(bytes);
      bed.drain();
      bed.clock.advance(1);
    }
    return bed.printed - before;
  };
  expect(flood(1000)).toBe(1000 * 64 * KIB);
  bed.isAsked = true;
  const asked = flood(10_000);
  expect(asked).toBeGreaterThan(10 * PER_S);
  expect(asked).toBeLessThanOrEqual(10 * PER_S + BURST + 64 * KIB);
  bed.isAsked = false;
  bed.clock.advance(100);
  expect(flood(1000)).toBe(1000 * 64 * KIB);
});

test('a flood that was held goes on 50 ms after the last call, however much it owed', () => {
  const bed = new Bed();
  bed.isAsked = true;
  for (let chunk = 0; chunk < 4; chunk += 1) bed.pressure.fed(256 * KIB);
  bed.clock.advance(1000);
  expect(bed.isPaused).toBe(true);
  bed.isAsked = false;
  bed.clock.advance(50);
  expect(bed.isPaused).toBe(false);
});

test('what a person types and reads is not held while somebody asks', () => {
  const bed = new Bed();
  bed.isAsked = true;
  for (let key = 0; key < 100; key += 1) {
    bed.print(4 * KIB); // a full-screen program that redraws everything
    expect(bed.isPaused).toBe(false);
    bed.clock.advance(33);
  }
});

test('whatever comes together, it is paused once and resumed once at a time, and never stays paused', () => {
  const step = fc.oneof(
    fc.record({ print: fc.integer({ min: 1, max: 300 * KIB }) }),
    fc.record({ wait: fc.integer({ min: 0, max: 200 }) }),
    fc.record({ asked: fc.boolean() }),
    fc.constant({ drain: true }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const bed = new Bed();
      for (const next of steps) {
        if ('print' in next) bed.print(next.print);
        else if ('wait' in next) bed.clock.advance(next.wait);
        else if ('asked' in next) bed.isAsked = next.asked;
        else bed.drain();
        expect(bed.backlogBytes).toBeLessThan(2 * MIB + 300 * KIB);
      }
      bed.drain();
      bed.clock.advance(20_000);
      expect(bed.isPaused).toBe(false);
    }),
  );
});
