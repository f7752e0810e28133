import type { SearchQuery } from '../contract/search.ts';
import { type ReadFault, readFaultOf } from '../store/files/readFault.ts';
import type { DocRow, IndexQuery } from '../store/index/IndexQuery.ts';
import { readEnds } from '../store/index/readEnds.ts';
import type { WordMatcher } from '../store/index/WordMatcher.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';

/** Most blocks without an end that are read at once, newest first: each is a running command, or one that a kill cut off. */
const READ_AT_ONCE = 100;

interface RunningDeps {
  dataFolder: string;
  lookUp: IndexQuery;
  matcher: WordMatcher;
  /** Reports an output that could not be read. */
  onFault: (fault: ReadFault) => void;
}

/**
 * Running blocks that match the whole query so far. The index has only their command, because their output changes all the time: it is read from its
 * file, of a very long one the start and the end. `leftOut`: blocks whose middle still has to be read.
 */
export async function findRunning(
  { dataFolder, lookUp, matcher, onFault }: RunningDeps,
  query: SearchQuery,
): Promise<{ found: DocRow[]; leftOut: DocRow[] }> {
  const found: DocRow[] = [];
  const leftOut: DocRow[] = [];
  if (!query.in.includes('output')) return { found, leftOut };
  for (const [at, row] of lookUp.running(query).entries()) {
    if (at >= READ_AT_ONCE) {
      leftOut.push(row);
      continue;
    }
    const text = matcher.text();
    if (query.in.includes('cmd')) text.take(row.cmd ?? '');
    const path = new SessionFolder(dataFolder, row.terminalId).out(row.id);
    const { head, tail, isLeftOut } = await readEnds(path).catch((error: unknown) => {
      const fault = readFaultOf(error, path);
      if (!fault) throw error;
      onFault(fault);
      return { head: '', tail: '', isLeftOut: false };
    });
    text.nextText();
    for (const line of `${head}\n${tail}`.split('\n')) if (text.missing.size > 0) text.take(line);
    if (text.missing.size === 0) found.push(row);
    else if (isLeftOut) leftOut.push(row);
  }
  return { found, leftOut };
}
