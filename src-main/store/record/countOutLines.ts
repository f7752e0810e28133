import type { BlockId } from '../../contract/ids.ts';
import { readIndex, streamOut } from './readRecord.ts';
import type { SessionFolder } from './SessionFolder.ts';

const LF = 0x0a;

/** Counts the logical lines in a block's `.out`; a last line without LF counts. Reads only from the last index entry on. */
export async function countOutLines(folder: SessionFolder, id: BlockId): Promise<number> {
  const last = (await readIndex(folder, id)).entries.at(-1);
  let lines = last?.line ?? 0;
  let lastByte = LF;
  for await (const piece of streamOut(folder, id, last?.out ?? 0)) {
    for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1)) lines += 1;
    lastByte = piece.at(-1) ?? lastByte;
  }
  return lastByte === LF ? lines : lines + 1;
}
