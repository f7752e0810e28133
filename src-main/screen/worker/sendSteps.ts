import type { ScreenStep } from '../../contract/chat/extractor.ts';
import type { FrameRow } from '../../contract/screen/frame.ts';
import type { SentStep } from './screenProtocol.ts';

/** Rows that both ends hold: what an agent's drawings, of which each shows most of the one before, are made of. */
const PLACES = 1024;

/**
 * Packs steps for their way between threads: a row that was sent lately is the number of its place, for most rows of a screen, and
 * of those that leave it, were seen before. Feed the steps in order.
 */
export class StepPacker {
  /** The row at each place, and where it is. New ones take the places in turn. */
  readonly #rows: FrameRow[] = [];
  readonly #places = new Map<FrameRow, number>();
  #next = 0;

  pack({ left, below, rows, ...step }: ScreenStep): SentStep {
    const place = this.#next;
    const send = (row: FrameRow) => this.#send(row);
    return { ...step, place, left: left.map(send), ...(below && { below: below.map(send) }), rows: rows.map(send) };
  }

  #send(row: FrameRow): FrameRow | number {
    const known = this.#places.get(row);
    if (known !== undefined) return known;
    const gone = this.#rows[this.#next];
    if (gone) this.#places.delete(gone);
    this.#rows[this.#next] = row;
    this.#places.set(row, this.#next);
    this.#next = (this.#next + 1) % PLACES;
    return row;
  }
}

/** The other end of a `StepPacker`. One that starts anew sends all rows, so it may take the place of another. */
export class StepUnpacker {
  readonly #rows: FrameRow[] = [];

  unpack({ place, left, below, rows, ...step }: SentStep): ScreenStep {
    let next = place;
    const receive = (sent: FrameRow | number): FrameRow => {
      if (typeof sent === 'number') return this.#rowAt(sent);
      this.#rows[next] = sent;
      next = (next + 1) % PLACES;
      return sent;
    };
    return { ...step, left: left.map(receive), ...(below && { below: below.map(receive) }), rows: rows.map(receive) };
  }

  #rowAt(place: number): FrameRow {
    const row = this.#rows[place];
    if (!row) throw new Error(`A step names the row at ${place}, where none was put`);
    return row;
  }
}
