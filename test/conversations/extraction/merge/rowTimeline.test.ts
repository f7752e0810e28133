import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatSnapshot, RowRange, ScreenStep } from '../../../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../../../src-main/contract/screen/frame.ts';
import { type RowTapeOptions, RowTimeline } from '../../../../src-main/conversations/extraction/merge/RowTimeline.ts';
import { ScreenModel } from '../../../../src-main/screen/emulator/ScreenModel.ts';
import { ScreenStepRecorder } from '../../../../src-main/screen/worker/ScreenStepRecorder.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { ALTERNATE, BOX_ROWS, type Drawing, DrawnAgent, NORMAL } from './DrawnAgent.ts';

const COLS = 40;
/** Column to the right of all text. */
const CLOCK_COL = 30;
/** Longer than any wait of `ScreenStepRecorder`, so it reads the drawn screen. */
const SEEN_MS = 60;

/** A terminal in which an agent draws, and the timeline of its steps. */
class Recording {
  readonly agent: DrawnAgent;
  /** The timeline's snapshot at each step. */
  readonly taken: ChatSnapshot[] = [];
  readonly #clock = new FakeClock();
  readonly #model: ScreenModel;
  readonly #taker: ScreenStepRecorder;
  readonly #tape: RowTimeline;
  #at = 0;

  constructor(drawing: Drawing, rows: number, options: RowTapeOptions = {}) {
    this.agent = new DrawnAgent(drawing, rows);
    this.#tape = new RowTimeline({ ...(drawing === 'regionFeed' && { body: belowTabs }), ...options });
    this.#model = new ScreenModel({ cols: COLS, rows, scrollbackLines: 2000 }, this.#clock);
    this.#model.write(Buffer.from('$ ls\r\nline 3 of a file\r\n'));
    this.#model.mark('begin');
    this.#taker = new ScreenStepRecorder(this.#model, this.#clock, (step) => this.#take(step));
    this.print(this.agent.start());
  }

  get last(): ChatSnapshot {
    const last = this.taken.at(-1);
    if (!last) throw new Error('nothing was taken');
    return last;
  }

  /** The pieces of `text` come `gapMs` apart. */
  print(text: string, waitMs = SEEN_MS): void {
    this.#model.write(Buffer.from(text));
    this.#at += text.length;
    this.#taker.changed(this.#at);
    this.#taker.settle();
    this.#clock.advance(waitMs);
  }

  resize(rows: number): void {
    this.#taker.take();
    this.#model.resize({ cols: COLS, rows });
    this.print(this.agent.resized(rows));
  }

  end(): this {
    this.#clock.advance(1000);
    this.#taker.take();
    this.#taker.dispose();
    this.#model.dispose();
    return this;
  }

  #take(step: ScreenStep): void {
    const snapshot = this.#tape.take(step);
    const isCovered = step.rows.some(({ text }) => text.startsWith('overlay'));
    this.#tape.settle(isCovered);
    if (!isCovered) this.taken.push(snapshot);
  }
}

function belowTabs({ rows: all }: ChatSnapshot): RowRange {
  return { from: 1, to: all.length - BOX_ROWS };
}

/** The rows of a snapshot that are the agent's words. */
function wordsOf({ rows }: ChatSnapshot): string[] {
  return rows.flatMap(({ text }) => (/^line /.test(text) ? [text.trimEnd()] : []));
}

/** Draws a time at the right edge of each row; `at` changes it. */
function clock(height: number, at: number): string {
  return Array.from({ length: height }, (_, row) => `\x1b[${row + 1};${CLOCK_COL + 1}H10:${10 + at}`).join('');
}

/** Returns whether `part` is a contiguous run of `whole`. */
function isRun(part: readonly string[], whole: readonly string[]): boolean {
  if (part.length === 0) return true;
  return whole.some((_, at) => part.every((line, n) => whole[at + n] === line));
}

const numbered = (from: number, count: number) => Array.from({ length: count }, (_, at) => `line ${from + at} is said`);
const drawing = (all: readonly Drawing[]) => fc.constantFrom(...all);
const rows = fc.integer({ min: 9, max: 16 });

const anyDrawing = drawing([...ALTERNATE, ...NORMAL]);

/** A change of an agent's screen. */
type Act =
  | { readonly type: 'say'; readonly count: number; readonly waitMs: number }
  | { readonly type: 'lookBack'; readonly by: number; readonly waitMs: number }
  | { readonly type: 'cover' }
  | { readonly type: 'resize'; readonly rows: number };

const say = (most: number, mostMs: number): fc.Arbitrary<Act> =>
  fc.record({ type: fc.constant('say'), count: fc.integer({ min: 1, max: most }), waitMs: fc.nat(mostMs) });
const lookBack: fc.Arbitrary<Act> = fc.record({
  type: fc.constant('lookBack'),
  by: fc.integer({ min: 1, max: 30 }),
  waitMs: fc.nat(60),
});
const cover: fc.Arbitrary<Act> = fc.record({ type: fc.constant('cover') });
const resize: fc.Arbitrary<Act> = fc.record({ type: fc.constant('resize'), rows });

function perform(recording: Recording, acts: readonly Act[]): void {
  const { agent } = recording;
  for (const act of acts) {
    if (act.type === 'say') recording.print(agent.say(numbered(agent.said.length, act.count)), act.waitMs);
    else if (act.type === 'resize') recording.resize(act.rows);
    else if (!agent.isAlternate) continue;
    else if (act.type === 'cover') for (const text of [agent.cover(), agent.uncover()]) recording.print(text);
    else {
      recording.print(agent.lookBack(act.by), act.waitMs);
      recording.print(agent.lookAhead());
    }
  }
}

describe('what was on the screen is on the tape once, in order', () => {
  test('each line of a program that says fewer at a time than the screen holds', () => {
    const says = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(anyDrawing, rows, says, (how, height, counts) => {
        const recording = new Recording(how, height);
        for (const count of counts) recording.print(recording.agent.say(numbered(recording.agent.said.length, count)));
        recording.end();
        expect(wordsOf(recording.last)).toEqual(recording.agent.said);
      }),
      fuzzRuns(100),
    );
  });

  test('also when a person looks back, or something covers it', () => {
    const acts = fc.array(fc.oneof({ weight: 4, arbitrary: say(2, 0) }, lookBack, cover), { maxLength: 30 });
    fc.assert(
      fc.property(anyDrawing, rows, acts, (how, height, all) => {
        const recording = new Recording(how, height);
        perform(
          recording,
          all.map((act) => (act.type === 'say' ? { ...act, waitMs: SEEN_MS } : act)),
        );
        recording.end();
        expect(wordsOf(recording.last)).toEqual(recording.agent.said);
      }),
      fuzzRuns(100),
    );
  });

  test('on the normal screen at any pace, though all lines say the same', () => {
    const says = fc.array(fc.record({ count: fc.integer({ min: 1, max: 40 }), waitMs: fc.nat(60) }), { maxLength: 15 });
    fc.assert(
      fc.property(drawing(['feed', 'insert', 'redraw']), rows, says, (how, height, all) => {
        const recording = new Recording(how, height);
        for (const { count, waitMs } of all)
          recording.print(recording.agent.say(new Array<string>(count).fill('line again')), waitMs);
        recording.end();
        expect(wordsOf(recording.last)).toEqual(recording.agent.said);
      }),
      fuzzRuns(100),
    );
  });

  test('also equal ones, where they leave through a region of the alternate screen', () => {
    const says = fc.array(fc.record({ count: fc.integer({ min: 1, max: 4 }), waitMs: fc.nat(60) }), { maxLength: 15 });
    fc.assert(
      fc.property(drawing(['scrollUp', 'regionFeed']), rows, says, (how, height, all) => {
        const recording = new Recording(how, height);
        const { agent } = recording;
        while (agent.said.length < agent.bodyRows) recording.print(agent.say(numbered(agent.said.length, 1)));
        for (const { count, waitMs } of all)
          recording.print(agent.say(new Array<string>(count).fill('line again')), waitMs);
        recording.end();
        expect(wordsOf(recording.last)).toEqual(agent.said);
      }),
      fuzzRuns(80),
    );
  });

  test('also when each drawing comes in pieces', () => {
    const cuts = fc.array(fc.record({ at: fc.nat(400), waitMs: fc.nat(30) }), { maxLength: 3 });
    const says = fc.array(fc.record({ count: fc.integer({ min: 1, max: 3 }), cuts }), { maxLength: 12 });
    fc.assert(
      fc.property(anyDrawing, rows, says, (how, height, all) => {
        const recording = new Recording(how, height);
        for (const { count, cuts: pieces } of all) {
          let text = recording.agent.say(numbered(recording.agent.said.length, count));
          for (const { at, waitMs } of pieces) {
            recording.print(text.slice(0, at), waitMs);
            text = text.slice(at);
          }
          recording.print(text);
        }
        recording.end();
        expect(wordsOf(recording.last)).toEqual(recording.agent.said);
      }),
      fuzzRuns(100),
    );
  });
});

describe('an extractor says what of the screen counts', () => {
  test('a clock that is masked is not on the tape, and does not hide that a row is known', () => {
    const says = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 20 });
    const unclocked = (row: FrameRow) => ({ ...row, text: row.text.slice(0, CLOCK_COL) });
    fc.assert(
      fc.property(rows, says, (height, counts) => {
        const recording = new Recording('repaint', height, { mask: unclocked });
        counts.forEach((count, at) => {
          recording.print(recording.agent.say(numbered(recording.agent.said.length, count)) + clock(height, at));
        });
        recording.end();
        expect(recording.last.rows.some(({ text }) => text.includes(':'))).toBe(false);
        expect(wordsOf(recording.last)).toEqual(recording.agent.said);
      }),
      fuzzRuns(50),
    );
  });

  test('a row of tabs above the body is on no tape', () => {
    const recording = new Recording('regionFeed', 12);
    for (let n = 0; n < 20; n += 1) recording.print(recording.agent.say(numbered(n, 1)));
    recording.end();
    expect(recording.last.rows.some(({ text }) => text.includes('tabs'))).toBe(false);
    expect(recording.last.screenTop).toBe(recording.last.rows.length - 11);
  });
});

test('of an agent that runs for long the tape holds its last rows', () => {
  const recording = new Recording('repaint', 12, { maxRows: 50 });
  for (let n = 0; n < 200; n += 2) recording.print(recording.agent.say(numbered(n, 2)));
  recording.end();
  expect(recording.last.screenTop).toBe(50);
  expect(wordsOf(recording.last)).toEqual(recording.agent.said.slice(-59));
});

describe('what was not seen is not papered over', () => {
  const acts = fc.array(fc.oneof({ weight: 5, arbitrary: say(40, 60) }, lookBack, cover, resize), { maxLength: 20 });

  test.each([...ALTERNATE, ...NORMAL])(
    '%s: at any pace and with any resize, what the tape tells is a run of what was said',
    (how) => {
      fc.assert(
        fc.property(rows, acts, (height, all) => {
          const recording = new Recording(how, height);
          perform(recording, all);
          recording.end();
          for (const snapshot of recording.taken) {
            const words = wordsOf(snapshot);
            expect(isRun(words, recording.agent.said) ? [] : words).toEqual([]);
          }
          expect(wordsOf(recording.last).at(-1)).toBe(recording.agent.said.at(-1));
        }),
        fuzzRuns(80),
      );
    },
  );
});
