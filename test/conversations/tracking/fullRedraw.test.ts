import { describe, expect, test } from 'vitest';
import { FullRedraw, SWEEP_ROWS } from '../../../src-main/conversations/tracking/FullRedraw.ts';
import { toDisposable } from '../../../src-main/util/Disposables.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const SIZE = { cols: 80, rows: 30 };
const DRAW_MS = 600;

/** A redraw with a fake clock, and the height of the program's screen. */
class Redrawn {
  readonly clock = new FakeClock();
  rows = SIZE.rows;
  cuts = 0;
  readonly redraw = new FullRedraw({
    clock: this.clock,
    live: { freeze: () => undefined, thaw: () => undefined },
    size: () => SIZE,
    resizeUnseen: ({ rows }) => {
      this.rows = rows;
    },
    onFed: () => toDisposable(() => undefined),
  });

  begin(): this {
    this.redraw.start(DRAW_MS, () => {
      this.cuts += 1;
    });
    return this;
  }

  after(ms: number): number {
    this.clock.advance(ms);
    return this.rows;
  }
}

describe('the room for a redraw', () => {
  test('is there for as long as the agent needs to draw', () => {
    const redrawn = new Redrawn().begin();
    redrawn.redraw.drawn();
    expect(redrawn.after(DRAW_MS - 1)).toBe(SWEEP_ROWS);
    expect(redrawn.after(1)).toBe(SIZE.rows);
  });

  test('stays until an agent on a busy machine has drawn', () => {
    const redrawn = new Redrawn().begin();
    expect(redrawn.after(DRAW_MS + 1500)).toBe(SWEEP_ROWS);
    redrawn.redraw.drawn();
    expect(redrawn.rows).toBe(SWEEP_ROWS);
    expect(redrawn.after(500)).toBe(SIZE.rows);
    expect(redrawn.after(10_000)).toBe(SIZE.rows);
  });

  test('goes in the end though the agent draws nothing, and at once when somebody types', () => {
    expect(new Redrawn().begin().after(10_000)).toBe(SIZE.rows);
    const typed = new Redrawn().begin();
    typed.after(DRAW_MS + 100);
    typed.redraw.cut();
    expect([typed.rows, typed.cuts]).toEqual([SIZE.rows, 1]);
  });
});
