import type { BlockId } from '../../contract/ids.ts';
import { readIndex, streamOut } from './readRecord.ts';
import type { SessionFolder } from './SessionFolder.ts';

const LF = 0x0a;

/** Counts the logical lines in a block's `.out`; a last line without LF counts. Reads only from the last index entry on. */
export async function countOutLines(folder: SessionFolder, id: BlockId): Promise<number> {
  const last = (await readIndex(folder, id)).entries.at(-1);
  const counter = new LineCounter();
  for await (const piece of streamOut(folder, id, last?.out ?? 0)) counter.take(piece);
  return (last?.line ?? 0) + counter.lines;
}

/** Counts the lines of a text that comes in pieces; a last line without LF counts. */
export class LineCounter {
  #ended = 0;
  #lastByte = LF;

  get lines(): number {
    return this.#lastByte === LF ? this.#ended : this.#ended + 1;
  }

  take(piece: Uint8Array): void {
    for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1)) this.#ended += 1;
    this.#lastByte = piece.at(-1) ?? this.#lastByte;
  }
}
