import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { ScreenStep } from '../../../src-main/contract/chat/extractor.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { ScreenStepRecorder } from '../../../src-main/screen/worker/ScreenStepRecorder.ts';
import { StepPacker, StepUnpacker } from '../../../src-main/screen/worker/sendSteps.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const SIZE = { cols: 20, rows: 6, scrollbackLines: 100 };
const owned: { dispose(): void }[] = [];

afterEach(() => {
  for (const one of owned.splice(0).reverse()) one.dispose();
});

class Watched {
  readonly clock = new FakeClock();
  readonly model = new ScreenModel(SIZE, this.clock);
  readonly steps: ScreenStep[] = [];
  #taker: ScreenStepRecorder | undefined;
  #at = 0;
  #later: readonly { readonly shown: string[] | undefined; readonly waitedMs: number }[] = [];

  constructor() {
    owned.push(this.model);
  }

  follow(): this {
    this.#taker = new ScreenStepRecorder(this.model, this.clock, (step) => this.steps.push(step));
    owned.push(this.#taker);
    return this;
  }

  print(text: string, thenMs = 0): this {
    const bytes = Buffer.from(text);
    this.model.write(bytes);
    this.#at += bytes.length;
    this.#taker?.changed(this.#at);
    this.#taker?.settle();
    if (thenMs > 0) this.clock.advance(thenMs);
    return this;
  }

  /** The rows of the last step once the screen is completely drawn, and the wait for it; null while it is half drawn. */
  drawn(): { readonly shown: string[] | undefined; readonly waitedMs: number } | null {
    const told: { readonly shown: string[] | undefined; readonly waitedMs: number }[] = [];
    const beganMs = this.clock.monotonicMs();
    this.#taker?.whenDrawn(() => told.push({ shown: this.shown.at(-1), waitedMs: this.clock.monotonicMs() - beganMs }));
    this.clock.advance(0);
    this.#later = told;
    return told[0] ?? null;
  }

  /** The later result of the last `drawn`. */
  get laterDrawn() {
    return this.#later[0] ?? null;
  }

  /** Rows in the order in which they left, then the rows of the last step. */
  get everything(): string[] {
    const last = this.steps.at(-1)?.rows ?? [];
    return [...this.steps.flatMap(({ left }) => left), ...last].map(({ text }) => text).filter((text) => text !== '');
  }

  get shown(): string[][] {
    return this.steps.map(({ rows }) => rows.map(({ text }) => text).filter((text) => text !== ''));
  }
}

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`);

describe('the steps of a screen', () => {
  test('hold every row once, however the output is cut and whenever it comes', () => {
    const cut = fc.record({ chars: fc.integer({ min: 1, max: 60 }), thenMs: fc.integer({ min: 0, max: 60 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 150 }), fc.array(cut, { minLength: 1, maxLength: 12 }), (count, cuts) => {
        const watched = new Watched().follow();
        const text = lines(1, count).join('\r\n');
        for (let at = 0, n = 0; at < text.length; n += 1) {
          const { chars, thenMs } = cuts[n % cuts.length] ?? { chars: 1, thenMs: 0 };
          watched.print(text.slice(at, at + chars), thenMs);
          at += chars;
        }
        watched.clock.advance(100);
        expect(watched.everything).toEqual(lines(1, count));
      }),
    );
  });

  test('show a screen that is drawn all the time 20 times a second, and one that is quiet at once', () => {
    const watched = new Watched().follow();
    for (let n = 0; n < 100; n += 1) watched.print(`\rtick ${n}`, 10);
    expect(watched.steps.length).toBeGreaterThan(18);
    expect(watched.steps.length).toBeLessThan(24);
    watched.clock.advance(100);
    const { length } = watched.steps;
    watched.print('\rdone ', 17);
    expect(watched.steps.length).toBe(length + 1);
  });

  test.each([
    ['ED 2', '\x1b[2J\x1b[H'],
    ['ED 3', '\x1b[H\x1b[J\x1b[3J'],
    ['RIS', '\x1bc'],
    ['ED 0 from the first cell', '\x1b[H\x1b[J'],
    ['the alternate screen', '\x1b[?1049h\x1b[H'],
  ])('show what stood there before %s', (_, erase) => {
    const watched = new Watched().follow().print('', 50);
    watched.print(`old${erase}new`, 50);
    expect(watched.shown.slice(-2)).toEqual([['old'], ['new']]);
    expect(watched.steps.at(-1)?.isErased).toBe(true);
  });

  test('show what was erased each time, unless that goes on faster than a screen that is drawn all the time', () => {
    const erase = (times: number) => {
      const watched = new Watched().follow().print('', 100);
      for (let n = 0; n < times; n += 1) watched.print(`\x1b[2J\x1b[Hpicture ${n}`, 10);
      return watched.print('\x1b[2J', 100).shown.flat();
    };
    expect(erase(20)).toEqual(Array.from({ length: 20 }, (_, n) => `picture ${n}`));
    const { length } = erase(400); // four seconds
    expect(length).toBeGreaterThan(80);
    expect(length).toBeLessThan(120);
  });

  test('hold every row that left, however often the screen was erased in between', () => {
    const watched = new Watched().follow().print('', 100);
    for (let n = 0; n < 300; n += 1) watched.print(`row ${n}\r\n${'\n'.repeat(SIZE.rows)}\x1b[2J\x1b[3J\x1b[H`, 5);
    watched.print('', 100);
    expect(watched.everything).toEqual(Array.from({ length: 300 }, (_, n) => `row ${n}`));
  });

  test('show nothing of the inside of a synchronized update, and what stood before it', () => {
    const watched = new Watched().follow().print('', 100);
    watched.print('before\r\x1b[?2026hhalf', 20).print(' a line', 20).print(' drawn\x1b[?2026l', 20);
    expect(watched.shown.slice(1)).toEqual([['before'], ['half a line drawn']]);
  });

  test('begin with the rows of the running command, on the screen and above it', () => {
    const begun = (shellLines: number, ownLines: number) => {
      const watched = new Watched().print(lines(1, shellLines).join('\r\n'));
      watched.print('\r\n');
      watched.model.mark('begin');
      watched.print(lines(100, 99 + ownLines).join('\r\n'));
      return watched.follow().print('', 50).steps[0];
    };
    expect(begun(2, 2)).toMatchObject({ foreignRows: 2, left: [] });
    expect(begun(50, 2)?.foreignRows).toBe(4);
    const tall = begun(3, 9);
    expect(tall?.foreignRows).toBe(0);
    expect(tall?.left.map(({ text }) => text)).toEqual(lines(100, 102));
  });

  test('of a program that was first seen on the alternate screen tell the rows before it from its own when it leaves', () => {
    const left = (shellLines: number, ownLines: number) => {
      const watched = new Watched().print(`${lines(1, shellLines).join('\r\n')}\r\n`);
      watched.model.mark('begin');
      watched.print('\x1b[?1049hwelcome').follow().print('', 50);
      watched.print(`\x1b[?1049l${lines(100, 99 + ownLines).join('\r\n')}`, 50);
      return watched.steps;
    };
    const [first, ...others] = left(2, 2);
    expect(first).toMatchObject({ altScreen: true });
    expect(first).not.toHaveProperty('foreignRows');
    expect(others.filter(({ foreignRows }) => foreignRows !== undefined)).toMatchObject([{ foreignRows: 2, left: [] }]);
    expect(left(50, 2).find(({ altScreen }) => !altScreen)?.foreignRows).toBe(4);
    const tall = left(3, 9).find(({ altScreen }) => !altScreen);
    expect(tall?.foreignRows).toBe(0);
    expect(tall?.left.map(({ text }) => text)).toEqual(lines(100, 102));
  });

  test.each([
    ['goes on', ['old three', 'old four', 'old five'], undefined],
    ['was drawn anew', ['new two', 'new three', 'new four'], 1],
  ])('tell whether what leaves a region %s, though a bar alone stands between', (_, drawn, leftApart) => {
    const bar = `${' '.repeat(19)}┃`;
    const place = (texts: readonly string[]) => texts.map((text, at) => `\x1b[${at + 1}H\x1b[K${text}`).join('');
    const feed = (count: number) => `\x1b[1;5r\x1b[5H${'\n'.repeat(count)}\x1b[r`;
    const watched = new Watched().follow().print('\x1b[?1049h', 100);
    watched.print(place(['old one', bar, 'old three', bar, 'old four']), 100);
    const seen = watched.steps.length;
    watched.print(feed(1) + place([bar, drawn[0] ?? '', bar, ...drawn.slice(1)]) + feed(2), 100);
    const [step] = watched.steps.slice(seen);
    expect(step?.left.map(({ text }) => text.trim())).toEqual(['old one', '┃', drawn[0]]);
    expect(step?.leftApart).toBe(leftApart);
  });

  test.each([
    ['goes on', '', undefined],
    ['was drawn anew before the next row left', '\x1b[H\x1b[Kline 1\r\n\x1b[Kline 2\x1b[6H\r\n', 2],
    ['was drawn anew since the last row left', '\x1b[H\x1b[Kline 1\r\n\x1b[Kline 2', 2],
  ])('tell whether what leaves the normal screen %s', (_, drawn, leftApart) => {
    const watched = new Watched().follow().print(lines(1, 6).join('\r\n'), 100);
    const seen = watched.steps.length;
    watched.print(`\r\nline 7\r\nline 8${drawn}`).clock.advance(100);
    const [step] = watched.steps.slice(seen);
    expect(step?.left.slice(0, 2).map(({ text }) => text)).toEqual(lines(1, 2));
    expect(step?.leftApart).toBe(leftApart);
  });

  test('do not tell of what was printed behind an erasure that it is apart: it may be old text', () => {
    const watched = new Watched().follow().print(lines(1, 8).join('\r\n'), 100);
    watched.print(`\x1b[2J\x1b[H${lines(1, 8).join('\r\n')}\x1b[H\x1b[Kline 2\x1b[6H\r\nline 9`, 100);
    const last = watched.steps.at(-1);
    expect(last?.isErased).toBe(true);
    expect(last?.left.map(({ text }) => text)).toEqual(['line 1', 'line 2', 'line 2']);
    expect(last?.leftApart).toBeUndefined();
  });

  test('are the same behind their way between threads, also when another takes the place of what packs them', () => {
    const row = (n: number) => ({ text: `row ${n}`, spans: [{ text: `row ${n}` }], wrapped: false });
    const pool = Array.from({ length: 3000 }, (_, n) => row(n));
    const few = fc.array(fc.nat(9), { maxLength: 6 });
    const many = fc.record({ from: fc.nat(2000), count: fc.nat(1000) });
    const run = many.map(({ from, count }) => Array.from({ length: count }, (_, n) => from + n));
    const one = fc.record({
      left: fc.oneof(few, run),
      below: fc.option(few, { nil: undefined }),
      rows: few,
      isAnew: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 10 }), (told) => {
        const rest = { at: 0, atMs: 0, isErased: false, cols: 9, altScreen: false, title: '', cursorRow: 0 };
        const rowsOf = (at: readonly number[]) => at.flatMap((n) => pool[n] ?? []);
        const unpacker = new StepUnpacker();
        let packer = new StepPacker();
        for (const [seq, { left, below, rows, isAnew }] of told.entries()) {
          if (isAnew) packer = new StepPacker();
          const step = { ...rest, seq, left: rowsOf(left), rows: rowsOf(rows), ...(below && { below: rowsOf(below) }) };
          expect(unpacker.unpack(structuredClone(packer.pack(step)))).toEqual(step);
        }
      }),
      fuzzRuns(60),
    );
  });

  test('send a row once that is seen again and again', () => {
    const packer = new StepPacker();
    const rows = ['a', 'b', 'a'].map((text) => ({ text, spans: [{ text }], wrapped: false }));
    const rest = { at: 0, atMs: 0, seq: 1, isErased: false, cols: 9, altScreen: false, title: '', cursorRow: 0 };
    expect(packer.pack({ ...rest, left: [], rows }).rows).toEqual(rows);
    const again = packer.pack({ ...rest, left: rows.slice(0, 1), rows: rows.slice(1) });
    expect([...again.left, ...again.rows].every((sent) => typeof sent === 'number')).toBe(true);
  });
});

describe('a reader who wants no picture that is half drawn', () => {
  test('gets the screen at once where nothing has changed since the last step', () => {
    const watched = new Watched().follow().print('May I?', 100);
    expect(watched.drawn()).toEqual({ shown: ['May I?'], waitedMs: 0 });
  });

  test('waits for the rest of a picture that comes in pieces', () => {
    const watched = new Watched().follow().print('May I?\r\n1. Yes', 100);
    watched.print('\x1b[2K\x1b[A\x1b[2K\r');
    expect(watched.drawn()).toBeNull();
    watched.clock.advance(8);
    expect(watched.laterDrawn).toBeNull();
    watched.print('May I?\r\n1. Yes\r\n2. No', 40);
    expect(watched.laterDrawn?.shown).toEqual(['May I?', '1. Yes', '2. No']);
  });

  test('waits for the rest also where the program erases the screen between two pieces', () => {
    const watched = new Watched().follow().print('May I?\r\n1. Yes', 100).print('\x1b[2J\x1b[HMay', 20);
    watched.print(' I?');
    expect(watched.drawn()).toBeNull();
    watched.clock.advance(8);
    watched.print('\x1b[2J\x1b[HMay I?\r\n1. Yes\r\n2. No');
    expect(watched.laterDrawn).toBeNull();
    watched.clock.advance(64);
    expect(watched.laterDrawn?.shown).toEqual(['May I?', '1. Yes', '2. No']);
  });

  test('waits for the end of a synchronized update', () => {
    const watched = new Watched().follow().print('May I?', 100).print('\x1b[?2026h\x1b[2J');
    expect(watched.drawn()).toBeNull();
    watched.print('\x1b[HDone\x1b[?2026l', 40);
    expect(watched.laterDrawn?.shown).toEqual(['Done']);
  });

  test.each([
    ['', 1],
    ['\x1b]0;working\x07', 1],
    ['', 3],
  ])('waits for the rest of a long write after its first pieces (%j before it, %d of them)', (title, pieces) => {
    const watched = new Watched().follow().print('', 500);
    if (title !== '') watched.print(title, 5);
    const rest = '\x1b[2;1Hno';
    for (let n = 0; n < pieces; n += 1) watched.print(`\x1b[1;1Hyes or${'\r'.repeat(2048)}`.slice(0, 2048));
    watched.clock.advance(170);
    watched.print(rest, 20);
    expect(watched.shown.flat().join()).not.toBe('');
    expect(watched.shown.filter((rows) => rows.length > 0 && !rows.includes('no'))).toEqual([]);
  });

  test.each([
    ['\x1b[1;1Hyes or\x1b[2;', '1Hno'],
    ['\x1b[1;1Hyes or\x1b', '[2;1Hno'],
    ['\x1b[1;1Hyes or\x1b[2;1H\x1b]0;wor', 'king\x07no'],
  ])('waits for the rest after %j, which ends within a sequence', (begin, rest) => {
    const watched = new Watched().follow().print('', 500);
    watched.print(begin, 170).print(rest, 20);
    expect(watched.shown.filter((rows) => rows.length > 0)).toEqual([['yes or', 'no']]);
  });

  test('waits no longer than 400 ms for a program that writes whole pieces all the time', () => {
    const watched = new Watched().follow().print('', 500);
    watched.print('\r'.repeat(2048));
    for (let n = 0; n < 40; n += 1) watched.print(`\r${n}${'\r'.repeat(2048)}`.slice(0, 2048), 10);
    expect(watched.shown.flat().length).toBeGreaterThan(0);
  });

  test('waits no longer than 64 ms for a screen that is drawn all the time', () => {
    const watched = new Watched().follow().print('0', 100).print('1');
    watched.drawn();
    for (let count = 0; count < 32 && !watched.laterDrawn; count += 1) watched.print(`${count}`, 2);
    expect(watched.laterDrawn?.waitedMs).toBeLessThanOrEqual(64);
  });
});
