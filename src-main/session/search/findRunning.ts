import type { SearchQuery } from '../../contract/search.ts';
import type { DocRow, IndexQuery } from '../../store/index/IndexQuery.ts';
import { readEnds } from '../../store/index/readEnds.ts';
import type { WordMatcher } from '../../store/index/WordMatcher.ts';
import { SessionFolder } from '../../store/SessionFolder.ts';

/** How many blocks without an end are read at most, the newest of them: each is a command that runs, or was cut off by a kill. */
const MAX_RUNNING = 100;

/**
 * Blocks that run and have all of the query by now. The index knows of them only the command, as what they print changes all the time:
 * their text is read from its file, of a very long one the start and the end.
 */
export async function findRunning(
  { dataFolder, lookUp, matcher }: { dataFolder: string; lookUp: IndexQuery; matcher: WordMatcher },
  query: SearchQuery,
): Promise<DocRow[]> {
  if (!query.in.includes('output')) return [];
  const found: DocRow[] = [];
  for (const row of lookUp.running(query, MAX_RUNNING)) {
    const text = matcher.text();
    if (query.in.includes('cmd')) text.take(row.cmd ?? '');
    const { head, tail } = await readEnds(new SessionFolder(dataFolder, row.terminalId).out(row.id));
    text.nextText();
    for (const line of `${head}\n${tail}`.split('\n')) if (text.missing.size > 0) text.take(line);
    if (text.missing.size === 0) found.push(row);
  }
  return found;
}
