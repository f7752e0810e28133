import { describe, expect, test } from 'vitest';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { type Recording, recordings } from '../support/recordings.ts';
import { screenState } from '../support/screenState.ts';

/** Cuts per recording; 2,000 take some minutes. */
const CUTS = Number(process.env.HANSARD_TEST_CUTS ?? 120);
/** Number of cuts after which the rest of the recording is shown to its end. */
const WHOLE_CUTS = 6;
/** Bytes shown to both screens after a cut, so that a forgotten state becomes visible. */
const FURTHER_BYTES = 3000;
const SCROLLBACK_LINES = 60;

/** Shows a recording from one offset to another, with its sizes. */
class Show {
  readonly model: ScreenModel;
  readonly #of: Recording;
  at: number;

  constructor(of: Recording, from?: ScreenModel, at = 0) {
    this.#of = of;
    this.at = at;
    const { cols, rows } = from ?? of.start;
    this.model = new ScreenModel({ cols, rows, scrollbackLines: SCROLLBACK_LINES });
    if (from) this.model.write(new TextEncoder().encode(from.serialize()));
  }

  to(end: number): void {
    for (const resize of this.#of.resizes) {
      if (resize.at < this.at || resize.at >= end) continue;
      this.#write(resize.at);
      this.model.resize(resize);
    }
    this.#write(end);
  }

  #write(end: number): void {
    if (end > this.at) this.model.write(this.#of.bytes.subarray(this.at, end));
    this.at = Math.max(this.at, end);
  }
}

/** Cuts from a small generator with a fixed seed, so that a failure can be reproduced. */
function seededCuts(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length: length + 1 }, (_, at) => at);
  let seed = 0x2545f491;
  const cuts = new Set<number>();
  while (cuts.size < count) {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    cuts.add((seed >>> 0) % (length + 1));
  }
  return [...cuts].sort((a, b) => a - b);
}

/** Whether the cursor is past the last column and the cell before it is erased. Only printing can do that, and no sequence restores it. */
function isBeyondNothing({ terminal: { buffer, cols } }: ScreenModel): boolean {
  const { active } = buffer;
  const last = active.getLine(active.baseY + active.cursorY)?.getCell(cols - 1);
  return active.cursorX >= cols && last?.getChars() === '';
}

describe.each(recordings())('a viewer that attaches to $name', (of) => {
  const { length } = of.bytes;

  test('shows at once, and after what follows, what one shows that was there from the start', () => {
    const core = new Show(of);
    const ahead = new Show(of);
    let compared = 0;
    for (const cut of seededCuts(length, CUTS)) {
      core.to(cut);
      if (isBeyondNothing(core.model)) continue;
      const from = cut - core.model.heldBytes;
      const viewer = new Show(of, core.model, from);
      expect(screenState(viewer.model), `at ${cut}`).toEqual(screenState(core.model));
      const further = Math.min(length, cut + FURTHER_BYTES);
      viewer.to(further);
      ahead.to(further);
      expect(screenState(viewer.model), `from ${cut} to ${further}`).toEqual(screenState(ahead.model));
      viewer.model.dispose();
      compared += 1;
    }
    expect(compared).toBeGreaterThan(Math.min(length, CUTS) * 0.9);
    core.model.dispose();
    ahead.model.dispose();
  });

  test('shows the same at the end', () => {
    const whole = new Show(of);
    whole.to(length);
    const core = new Show(of);
    for (const cut of seededCuts(length, WHOLE_CUTS)) {
      core.to(cut);
      const viewer = new Show(of, core.model, cut - core.model.heldBytes);
      viewer.to(length);
      expect(screenState(viewer.model), `cut at ${cut}`).toEqual(screenState(whole.model));
      viewer.model.dispose();
    }
    core.model.dispose();
    whole.model.dispose();
  });
});

/** Lists all compared modes, so that a missing mode is noticed. */
test('what is compared covers every mode that a program may leave on', () => {
  const model = new ScreenModel({ cols: 20, rows: 6, scrollbackLines: 5 });
  const state = screenState(model) as { modes: object };
  expect(Object.keys(state).sort()).toEqual(['alt', 'charset', 'hidden', 'look', 'modes', 'mouse', 'normal', 'size']);
  expect(Object.keys(state.modes).sort()).toEqual([
    'applicationCursorKeys',
    'applicationKeypad',
    'bracketedPasteMode',
    'cursorBlink',
    'cursorStyle',
    'insertMode',
    'origin',
    'reverseWraparound',
    'sendFocus',
    'synchronizedOutput',
    'wraparound',
  ]);
  model.dispose();
});
