import type { SearchQuery } from '../contract/search.ts';
import type { ReadFault } from '../store/files/readFault.ts';
import { lossIn } from '../store/record/readGaps.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';

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
    const all = { from: 0, to: Number.POSITIVE_INFINITY, sinceMs };
    const fault = await lossIn(new SessionFolder(dataFolder, id), all);
    if (fault) lost.push(fault);
  }
  return lost;
}
