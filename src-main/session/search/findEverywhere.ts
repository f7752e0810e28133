import type { SearchEnd, SearchEvent, SearchHit, SearchQuery } from '../../contract/search.ts';
import type { IndexFile } from '../../store/index/IndexFile.ts';
import { IndexQuery, MAX_TOTAL } from '../../store/index/IndexQuery.ts';
import { type Phrase, parseWords } from '../../store/index/parseWords.ts';
import { WordMatcher } from '../../store/index/WordMatcher.ts';
import { type ReadFault, readFaultOf } from '../../store/readFault.ts';
import { SessionFolder } from '../../store/SessionFolder.ts';
import { findRunning } from './findRunning.ts';
import { readHit } from './readHits.ts';
import { scanRecord } from './scanRecord.ts';
import { TitleBook } from './TitleBook.ts';

/** Hits are told together where they come together, so that a window draws them once. */
const HITS_AT_ONCE = 10;

const NOTHING_MORE = {
  type: 'end',
  total: null,
  isTotalCapped: false,
  next: null,
  indexing: null,
  isResting: false,
  leftOut: 0,
  error: null,
  unread: [],
} as const;

/** What of a query the index can answer: phrases of words. Empty: it must be searched by reading. */
export function phrasesOf({ query, mode }: SearchQuery): Phrase[] {
  return mode === 'words' ? parseWords(query) : [];
}

/** Hits of a query of words, looked up. Throws IndexUnusable for a damaged index. */
export async function* findByIndex(
  { dataFolder, index }: { dataFolder: string; index: IndexFile },
  query: SearchQuery,
  signal?: AbortSignal,
): AsyncGenerator<SearchEvent> {
  const phrases = phrasesOf(query);
  const matcher = new WordMatcher(phrases);
  const lookUp = new IndexQuery(index);
  const beforeKey = keyOfCursor(query.cursor);
  const running = (await findRunning({ dataFolder, lookUp, matcher }, query)).filter(
    ({ key }) => !lookUp.finds(phrases, query, key),
  );
  const rows = lookUp
    .find(phrases, query, { limit: query.limit, beforeKey })
    .concat(running.filter(({ key }) => key < (beforeKey ?? Number.POSITIVE_INFINITY)))
    .sort((a, b) => b.key - a.key)
    .slice(0, query.limit);
  const last = rows.at(-1);
  const next = last && rows.length === query.limit ? `k${last.key}` : null;
  const isAll = next === null && query.cursor === undefined;
  const total = isAll ? rows.length : lookUp.count(phrases, query) + running.length;
  const titles = new TitleBook(dataFolder);
  const unread = new Map<string, ReadFault>();
  const end: SearchEnd = {
    ...NOTHING_MORE,
    by: 'index',
    total: Math.min(total, MAX_TOTAL),
    isTotalCapped: total > MAX_TOTAL,
    next,
    leftOut: lookUp.leftOut(),
  };
  for (let at = 0; at < rows.length; at += HITS_AT_ONCE) {
    if (signal?.aborted) return;
    const some = await Promise.all(
      rows.slice(at, at + HITS_AT_ONCE).map((row) =>
        readHit(row, { dataFolder, matcher, query }).catch((error: unknown) => {
          const fault = readFaultOf(error, new SessionFolder(dataFolder, row.terminalId).root);
          if (!fault) throw error;
          unread.set(fault.path, fault);
          return null;
        }),
      ),
    );
    const hits = some.filter((hit) => hit !== null); // gone since: a terminal that was removed; or not readable
    if (hits.length > 0) yield { type: 'hits', hits, titles: await titles.of(hits) };
  }
  yield { ...end, unread: [...unread.values()] };
}

/** Hits of any query, by reading the files: each as it is found. */
export async function* findByFiles(
  dataFolder: string,
  query: SearchQuery,
  signal?: AbortSignal,
): AsyncGenerator<SearchEvent> {
  let count = 0;
  let next: string | null = null;
  let error: string | null = null;
  const titles = new TitleBook(dataFolder);
  const tally = { blocks: 0, bytes: 0, redactions: 0 };
  const unread = new Map<string, ReadFault>();
  if (query.query !== '') {
    for await (const scanned of scanRecord(dataFolder, query, {
      signal,
      tally,
      onFault: (fault) => unread.set(fault.path, fault),
    })) {
      if (scanned.type === 'error') {
        error = scanned.reason;
        break;
      }
      const hits: SearchHit[] = [scanned.hit];
      yield { type: 'hits', hits, titles: await titles.of(hits) };
      count += 1;
      if (count < query.limit) continue;
      next = scanned.cursor;
      break;
    }
  }
  yield { ...NOTHING_MORE, by: 'files', next, scanned: tally, error, unread: [...unread.values()] };
}

function keyOfCursor(cursor: string | undefined): number | undefined {
  const digits = cursor?.match(/^k(\d{1,16})$/)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
