import type { ScreenStep } from '../../contract/chat/extractor.ts';
import type { FrameRow } from '../../contract/screen/frame.ts';
import type { SentStep } from './screenProtocol.ts';

/** Number of rows that both ends keep: most of an agent's drawings show most rows of the one before. */
const PLACES = 1024;

/**
 * Packs steps for messages between threads: a row sent recently becomes its number, because most rows of a screen, and
 * most that leave it, were sent before. Feed the steps in order.
 */
export class StepPacker {
  /** The row of each number, and the number of each row. New rows reuse numbers in turn. */
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

/** The receiver of a `StepPacker`. A new packer sends all rows, so it may replace another. */
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
