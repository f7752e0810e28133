import { describe, expect, test } from 'vitest';
import type { ChatKind } from '../../../src-main/contract/chat/chat.ts';
import type { Extraction } from '../../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../../src-main/contract/screen/frame.ts';
import { SWEEP_ROWS } from '../../../src-main/conversations/tracking/FullRedraw.ts';
import { FullRedrawScheduler } from '../../../src-main/conversations/tracking/FullRedrawScheduler.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const DRAW_MS = 600;
/** Longer than the scheduler's wait after any kind of message. */
const LONG_MS = 10_000;

/** A scheduler whose redraws last as long as the agent's drawing, with the number of started ones. */
class Scheduled {
  readonly clock = new FakeClock();
  starts = 0;
  drawn = 0;
  #endMs = 0;
  readonly #scheduler = new FullRedrawScheduler({
    clock: this.clock,
    isRunning: () => this.clock.monotonicMs() < this.#endMs,
    drawn: () => {
      this.drawn += 1;
    },
    start: (drawMs) => {
      this.starts += 1;
      this.#endMs = this.clock.monotonicMs() + drawMs;
    },
  });

  /** Shows a screen with the end of a message of `kind`; its start is above the screen. */
  sees(state: Extraction['state'], kind: ChatKind = 'model', isNew = true, rows: readonly FrameRow[] = []): void {
    const message = { kind, text: 'words', fromRow: 0, toRow: 30, isHeadCut: true, isOpen: false, confidence: 1 };
    const extraction = { messages: [message], state, evidence: null, isCovered: false, draft: '' };
    this.#scheduler.seen({ step: { altScreen: true, rows }, extraction, sweepMs: DRAW_MS, isNew });
  }

  after(ms: number): number {
    this.clock.advance(ms);
    return this.starts;
  }
}

describe('a redraw', () => {
  test('starts once when an agent rests, and not for what it brings to light itself', () => {
    const scheduled = new Scheduled();
    scheduled.sees('idle');
    expect(scheduled.after(400)).toBe(1);
    scheduled.sees('idle');
    expect(scheduled.after(LONG_MS)).toBe(1);
  });

  test('starts again for what an agent has said while the last one ran', () => {
    const scheduled = new Scheduled();
    scheduled.sees('idle');
    expect(scheduled.after(400)).toBe(1);
    scheduled.sees('working');
    scheduled.sees('idle');
    expect(scheduled.after(LONG_MS)).toBe(2);
  });

  test('leaves an agent that was just asked the time to begin its answer', () => {
    const scheduled = new Scheduled();
    scheduled.sees('idle', 'user');
    expect(scheduled.after(2000)).toBe(0);
    scheduled.sees('working', 'user', false);
    expect(scheduled.after(LONG_MS)).toBe(0);
    scheduled.sees('idle');
    expect(scheduled.after(400)).toBe(1);
  });

  test('is drawn when the bottom of the tall screen shows something', () => {
    const scheduled = new Scheduled();
    const tall = Array.from({ length: SWEEP_ROWS }, () => ({ text: '', spans: [], wrapped: false }));
    const drawn = tall.with(-3, { text: '> ', spans: [], wrapped: false });
    scheduled.sees('idle');
    expect(scheduled.after(400)).toBe(1);
    scheduled.sees('idle', 'model', false, drawn.slice(0, 30));
    scheduled.sees('idle', 'model', false, tall.with(3, { text: 'Old rows.', spans: [], wrapped: false }));
    expect(scheduled.drawn).toBe(0);
    scheduled.sees('idle', 'model', false, drawn);
    expect(scheduled.drawn).toBe(1);
  });

  test('starts though a prompt is never answered', () => {
    const scheduled = new Scheduled();
    scheduled.sees('idle', 'user');
    expect(scheduled.after(LONG_MS)).toBe(1);
  });
});
