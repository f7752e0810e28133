import type { Block } from '../../contract/block.ts';
import { readLinesBackward } from '../files/readBackward.ts';
import { BlockTail } from './readBlocks.ts';
import type { SessionFolder } from './SessionFolder.ts';

/** Finds a block by an id that does not reveal its position, in its latest version; reads the whole record if it does not exist. */
export async function findBlockById(folder: SessionFolder, id: string): Promise<Block | null> {
  const tail = new BlockTail();
  const named = Buffer.from(`"id":${JSON.stringify(id)}`);
  for await (const { line } of readLinesBackward(folder.blocksJsonl)) {
    tail.take(line);
    if (line?.includes(named)) return tail.blocks({ isWhole: true }).find((block) => block.id === id) ?? null;
  }
  return null;
}
