import { expect, test } from 'vitest';
import type { PtyProcess } from '../../src-main/pty/PtyProcess.ts';
import { KeyWatch } from '../../src-main/terminal/KeyWatch.ts';
import { FakeClock } from '../support/FakeClock.ts';

/** Counts the looks at the processes of a terminal that runs the command `runningId`. */
class Watched {
  readonly clock = new FakeClock();
  readonly book = { runningId: 'first' as string | null };
  looks = 0;
  readonly watch = new KeyWatch(this.clock, this.book, {
    process: () => ({ keyTaker: () => this.#look() }) as Partial<PtyProcess> as PtyProcess,
    tell: () => undefined,
  });

  type(keys: number, everyMs: number): void {
    for (let n = 0; n < keys; n += 1) {
      this.watch.look();
      this.clock.advance(everyMs);
    }
  }

  #look(): null {
    this.looks += 1;
    return null;
  }
}

test('while a person types into a program, its processes are examined about once a second', () => {
  const watched = new Watched();
  watched.type(50, 200);
  expect(watched.looks).toBeGreaterThanOrEqual(8);
  expect(watched.looks).toBeLessThanOrEqual(11);
});

test('a new command is examined at its first pause', () => {
  const watched = new Watched();
  watched.type(1, 150);
  expect(watched.looks).toBe(1);
  watched.book.runningId = 'second';
  watched.type(1, 150);
  expect(watched.looks).toBe(2);
});

test('the last output is examined, though late', () => {
  const watched = new Watched();
  watched.type(2, 200);
  expect(watched.looks).toBe(1);
  watched.clock.advance(1_000);
  expect(watched.looks).toBe(2);
  watched.clock.advance(10_000);
  expect(watched.looks).toBe(2);
});

test('a program that draws without a pause is examined every two seconds', () => {
  const watched = new Watched();
  watched.type(200, 50);
  expect(watched.looks).toBeGreaterThanOrEqual(4);
  expect(watched.looks).toBeLessThanOrEqual(5);
});
