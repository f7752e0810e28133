import { stat } from 'node:fs/promises';
import type { Block } from '../../contract/block.ts';
import { readFaultOf } from '../../store/files/readFault.ts';
import { readBlocks } from '../../store/record/readBlocks.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import type { CommandHistory } from './CommandHistory.ts';

/** Blocks to read per terminal; a search finds older commands. */
const BLOCKS_EACH = 20_000;

/** Fills the history from the most recently used terminals, one at a time, while the first prompt already works. */
export async function loadHistory(dataFolder: string, history: CommandHistory): Promise<void> {
  const folders = SessionFolder.list(dataFolder).map((id) => new SessionFolder(dataFolder, id));
  const dated = await Promise.all(
    folders.map(async (folder) => ({ folder, atMs: await changedMs(folder.blocksJsonl) })),
  );
  for (const { folder } of dated.sort((a, b) => b.atMs - a.atMs)) {
    if (history.isFull) return;
    const blocks = await readable(folder);
    for (const block of blocks) history.add(block);
  }
}

/** Skips an unreadable terminal, so that the others still enter the history; `hansard doctor` reports it. */
async function readable(folder: SessionFolder): Promise<Block[]> {
  try {
    return (await readBlocks(folder, { limit: BLOCKS_EACH })).blocks;
  } catch (error) {
    if (!readFaultOf(error, folder.blocksJsonl)) throw error;
    return [];
  }
}

async function changedMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => null); // a terminal without any command has no blocks
  return found?.mtimeMs ?? 0;
}
