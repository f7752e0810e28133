import type { ScreenStep } from '../contract/extractor.ts';
import type { FrameRow } from '../contract/frame.ts';
import type { SentStep } from './screenProtocol.ts';

/** Packs steps for their way between threads: most rows of a screen are those of the step before. Feed the steps in order. */
export class StepPacker {
  #places = new Map<FrameRow, number>();

  pack(step: ScreenStep): SentStep {
    const known = this.#places;
    this.#places = new Map(step.rows.map((row, at) => [row, at]));
    return { ...step, rows: step.rows.map((row) => known.get(row) ?? row) };
  }
}

/** The other end of a `StepPacker`. A packer that starts anew sends all rows, so it may take the place of another. */
export class StepUnpacker {
  #rows: readonly FrameRow[] = [];

  unpack(sent: SentStep): ScreenStep {
    const known = this.#rows;
    this.#rows = sent.rows.map((row) => {
      const own = typeof row === 'number' ? known[row] : row;
      if (!own) throw new Error(`A step names row ${String(row)} of a screen of ${known.length}`);
      return own;
    });
    return { ...sent, rows: this.#rows };
  }
}
