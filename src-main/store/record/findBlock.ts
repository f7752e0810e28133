import type { Block } from '../../contract/block.ts';
import { readLinesBackward } from '../files/readBackward.ts';
import { BlockTail } from './readBlocks.ts';
import type { SessionFolder } from './SessionFolder.ts';

/** The block of an id that does not tell its place, in its latest version; the whole record is passed over for one that is not there. */
export async function findBlockById(folder: SessionFolder, id: string): Promise<Block | null> {
  const tail = new BlockTail();
  const named = Buffer.from(`"id":${JSON.stringify(id)}`);
  for await (const { line } of readLinesBackward(folder.blocksJsonl)) {
    tail.take(line);
    if (line?.includes(named)) return tail.blocks({ isWhole: true }).find((block) => block.id === id) ?? null;
  }
  return null;
}
