import type { SearchQuery } from '../contract/search.ts';
import type { ReadFault } from '../store/files/readFault.ts';
import { readSmallNow } from '../store/files/readPiece.ts';
import { stampOf } from '../store/index/readEnds.ts';
import { type Gap, lossIn, readGaps } from '../store/record/readGaps.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';

/** Gaps of terminals by their events.jsonl and its state then: each search needs those of all terminals. */
const known = new Map<string, { stamp: string; gaps: readonly Gap[] }>();

/** For each searched terminal that lacks output, what it lacks: no search can find it. */
export async function lostOutput(
  dataFolder: string,
  { query, in: places, terminalId, without = [], sinceMs = 0 }: SearchQuery,
): Promise<ReadFault[]> {
  if (query === '' || !places.includes('output')) return [];
  const ids = terminalId === undefined ? SessionFolder.list(dataFolder) : [terminalId];
  const lost: ReadFault[] = [];
  for (const id of ids) {
    if (without.includes(id)) continue;
    const fault = await lossIn(
      new SessionFolder(dataFolder, id),
      { from: 0, to: Number.POSITIVE_INFINITY, sinceMs },
      gapsOf,
    );
    if (fault) lost.push(fault);
  }
  return lost;
}

async function gapsOf(folder: SessionFolder): Promise<readonly Gap[]> {
  const stamp = stampOf(folder.events);
  const before = known.get(folder.events);
  if (before?.stamp === stamp) return before.gaps;
  const gaps = mayHaveGaps(folder.events) ? await readGaps(folder) : [];
  known.set(folder.events, { stamp, gaps });
  return gaps;
}

/** Reads the file in one call, because parsing the lines of thousands of files takes seconds. */
function mayHaveGaps(path: string): boolean {
  try {
    return readSmallNow(path).includes('"gap"');
  } catch {
    return true; // `readGaps` finds the reason
  }
}
