import { lstat } from 'node:fs/promises';
import type { Block } from '../contract/block.ts';
import { ChatMessage, isFoundElsewhere } from '../contract/chat/chat.ts';
import { PAST_ID } from '../contract/pastId.ts';
import { asDiskError } from '../store/files/Disk.ts';
import { readLinesBackward } from '../store/files/readBackward.ts';
import { type ReadFault, untilFault } from '../store/files/readFault.ts';
import { parseLine } from '../store/files/readJsonLines.ts';
import { pastPath } from '../store/past/PastFile.ts';
import { walkPast } from '../store/past/pastHits.ts';
import { readBlocks } from '../store/record/readBlocks.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';

/** A block or a message, with its folder. Never newer than the item before it. */
export interface WalkItem {
  readonly folder: SessionFolder;
  readonly atMs: number;
  readonly block?: Block;
  readonly message?: ChatMessage;
}

const FIRST_PAGE = 100;
const PAGE_GROWTH = 10;
/** File times may be behind the clock of the blocks. */
const SLACK_MS = 5_000;

/** One list of one terminal, with its newest item that was not yielded yet. */
interface Strand {
  /** Upper limit of the times in it. */
  atMs: number;
  head: WalkItem | null;
  rest: AsyncGenerator<WalkItem>;
}

interface WalkSpec {
  dataFolder: string;
  terminalId?: string | undefined;
  without?: readonly string[] | undefined;
  wants: { blocks: boolean; messages: boolean };
  /** Reports a list that could not be read, or not to its end; the others continue. */
  onFault: (fault: ReadFault) => void;
}

/**
 * The whole record, newest first over all terminals. A list is opened when its file time says that it may have the next item, so that a search for
 * recent items does not open everything. Skips damaged lines, and reports their file by `onFault`.
 */
export async function* walkRecord({
  dataFolder,
  terminalId,
  without = [],
  wants,
  onFault,
}: WalkSpec): AsyncGenerator<WalkItem> {
  const left = new Set(without);
  const isWanted = (id: string): boolean => !left.has(id) && (terminalId === undefined || id === terminalId);
  const ids = SessionFolder.list(dataFolder).filter(isWanted);
  const strands: Strand[] = [];
  for (const id of ids) {
    const folder = new SessionFolder(dataFolder, id);
    const add = async (path: string, rest: AsyncGenerator<WalkItem>): Promise<void> => {
      const readable = untilFault(rest, { path, onFault });
      const changedMs = await modifiedMs(path).catch(() => Number.POSITIVE_INFINITY); // reading it reports the reason
      if (changedMs !== null) strands.push({ atMs: changedMs + SLACK_MS, head: null, rest: readable });
    };
    if (wants.blocks) await add(folder.blocksJsonl, descending(blocksOf(folder, onFault)));
    if (wants.messages) await add(folder.chatJsonl, descending(messagesOf(folder)));
  }
  if (wants.messages && isWanted(PAST_ID)) {
    const folder = new SessionFolder(dataFolder, PAST_ID);
    strands.push({ atMs: Number.POSITIVE_INFINITY, head: null, rest: pastOf(folder, onFault) });
  }
  yield* merged(strands);
}

async function* merged(strands: Strand[]): AsyncGenerator<WalkItem> {
  while (strands.length > 0) {
    const newest = strands.reduce((best, one) => (one.atMs > best.atMs ? one : best));
    if (newest.head) yield newest.head;
    const next = await newest.rest.next();
    if (next.done) strands.splice(strands.indexOf(newest), 1);
    else {
      newest.head = next.value;
      newest.atMs = next.value.atMs;
    }
  }
}

/** After the clock was set back, an item still comes after those that it followed. */
async function* descending(items: AsyncGenerator<WalkItem>): AsyncGenerator<WalkItem> {
  let last = Number.POSITIVE_INFINITY;
  for await (const item of items) {
    last = Math.min(last, item.atMs);
    yield item.atMs === last ? item : { ...item, atMs: last };
  }
}

async function* blocksOf(folder: SessionFolder, onFault: WalkSpec['onFault']): AsyncGenerator<WalkItem> {
  let beforeSeq = Number.MAX_SAFE_INTEGER;
  for (let limit = FIRST_PAGE; ; limit *= PAGE_GROWTH) {
    const { blocks, isFirst, badLines } = await readBlocks(folder, { limit, beforeSeq });
    if (badLines > 0) onFault({ path: folder.blocksJsonl, reason: 'has lines that cannot be read' });
    for (const block of blocks.toReversed()) yield { folder, atMs: block.startedMs, block };
    const oldest = blocks[0];
    if (isFirst || !oldest) return;
    beforeSeq = oldest.seq;
  }
}

async function* messagesOf(folder: SessionFolder): AsyncGenerator<WalkItem> {
  const seen = new Set<string>();
  for await (const { line } of readLinesBackward(folder.chatJsonl)) {
    const message = line && parseLine(line, (json) => ChatMessage.parse(json));
    if (!message || seen.has(message.id)) continue; // the last line of a message is its latest state
    seen.add(message.id);
    if (isFoundElsewhere(message)) continue;
    yield { folder, atMs: message.startedMs, message };
  }
}

async function* pastOf(folder: SessionFolder, onFault: WalkSpec['onFault']): AsyncGenerator<WalkItem> {
  try {
    for await (const message of walkPast(folder.dataFolder)) yield { folder, atMs: message.startedMs, message };
  } catch (error) {
    onFault({ path: pastPath(folder.dataFolder), reason: error instanceof Error ? error.message : String(error) });
  }
}

async function modifiedMs(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).mtimeMs; // a link counts as damage: reading it reports the fault
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(asDiskError(error).code)) return null;
    throw error;
  }
}
