import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { ScreenStep } from '../../src-main/contract/extractor.ts';
import { ScreenModel } from '../../src-main/screen/ScreenModel.ts';
import { StepTaker } from '../../src-main/screen/StepTaker.ts';
import { StepPacker, StepUnpacker } from '../../src-main/screen/sendSteps.ts';
import { FakeClock } from '../support/FakeClock.ts';

const SIZE = { cols: 20, rows: 6, scrollbackLines: 100 };
const owned: { dispose(): void }[] = [];

afterEach(() => {
  for (const one of owned.splice(0).reverse()) one.dispose();
});

class Watched {
  readonly clock = new FakeClock();
  readonly model = new ScreenModel(SIZE, this.clock);
  readonly steps: ScreenStep[] = [];
  #taker: StepTaker | undefined;
  #at = 0;

  constructor() {
    owned.push(this.model);
  }

  follow(): this {
    this.#taker = new StepTaker(this.model, this.clock, (step) => this.steps.push(step));
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

  /** Rows in the order in which they were seen to leave, then what the last step shows. */
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

  test('are the same behind their way between threads', () => {
    const row = fc.constantFrom('a', 'b', 'c').map((text) => ({ text, spans: [{ text }], wrapped: false }));
    const screens = fc.array(fc.array(fc.nat(5), { maxLength: 6 }), { maxLength: 10 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 6, maxLength: 6 }), screens, (pool, shown) => {
        const rest = { at: 0, atMs: 0, left: [], isErased: false, cols: 9, altScreen: false, title: '', cursorRow: 0 };
        const steps = shown.map((at, seq) => ({ ...rest, seq, rows: at.flatMap((n) => pool[n] ?? []) }));
        const [packer, unpacker] = [new StepPacker(), new StepUnpacker()];
        const through = steps.map((step) => unpacker.unpack(structuredClone(packer.pack(step))));
        expect(through).toEqual(steps);
      }),
    );
  });
});
