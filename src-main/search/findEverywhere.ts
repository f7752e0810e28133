import type { BlockStatus } from '../contract/block.ts';
import type { BlockHit, NotSearched, SearchEvent, SearchHit, SearchQuery } from '../contract/search.ts';
import { type ReadFault, readFaultOf } from '../store/files/readFault.ts';
import type { IndexFile } from '../store/index/IndexFile.ts';
import { type DocRow, IndexQuery, MAX_TOTAL } from '../store/index/IndexQuery.ts';
import { type Phrase, parseWords } from '../store/index/parseWords.ts';
import { WordMatcher } from '../store/index/WordMatcher.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import { findRunning } from './findRunning.ts';
import { lostOutput } from './lostOutput.ts';
import { readHit } from './readHits.ts';
import { SearchTime } from './SearchTime.ts';
import { LATE, makeMatcher, type ScanContext, type SearchedBlock, scanBlock } from './scanBlock.ts';
import { scanRecord } from './scanRecord.ts';
import { TitleCache } from './TitleCache.ts';

/** Hits found at the same time are sent together, so that a window draws them once. */
const HITS_AT_ONCE = 10;

const NOTHING_MORE = {
  type: 'end',
  total: null,
  isTotalCapped: false,
  next: null,
  indexing: null,
  isResting: false,
  leftOut: 0,
  notSearched: [],
  error: null,
  unread: [],
} as const;

/** The part of a query that the index can answer: phrases of words. Empty if the files have to be read. */
export function phrasesOf({ query, mode }: SearchQuery): Phrase[] {
  return mode === 'words' ? parseWords(query) : [];
}

interface Indexed {
  readonly dataFolder: string;
  readonly index: IndexFile;
}

/**
 * Hits of a query of words, newest first: those from the index, then those in the middle of very long outputs, which the index lacks and which are
 * read. Throws IndexUnusable for a damaged index.
 */
export async function* findByIndex(
  { dataFolder, index }: Indexed,
  query: SearchQuery,
  signal?: AbortSignal,
): AsyncGenerator<SearchEvent> {
  const phrases = phrasesOf(query);
  const matcher = new WordMatcher(phrases);
  const lookUp = new IndexQuery(index);
  const at = placeOfCursor(query.cursor);
  const faults = new Map<string, ReadFault>();
  const onFault = (fault: ReadFault): void => void faults.set(fault.path, fault);
  const running = await findRunning({ dataFolder, lookUp, matcher, onFault }, query);
  const isNew = ({ key }: DocRow): boolean => !lookUp.finds(phrases, query, key); // needs a look-up of its own
  const found = running.found.filter(isNew);
  const rows = at.isPastIndex
    ? []
    : lookUp
        .find(phrases, query, { limit: query.limit, beforeKey: at.beforeKey })
        .concat(found.filter(({ key }) => key < (at.beforeKey ?? Number.POSITIVE_INFINITY)))
        .sort((a, b) => b.key - a.key)
        .slice(0, query.limit);
  const last = rows.at(-1);
  const isFull = last !== undefined && rows.length === query.limit;
  const titles = new TitleCache(dataFolder);
  for (let from = 0; from < rows.length; from += HITS_AT_ONCE) {
    if (signal?.aborted) return;
    const hits = await readHits(rows.slice(from, from + HITS_AT_ONCE), { dataFolder, matcher, query, onFault });
    if (hits.length > 0) yield { type: 'hits', hits, titles: await titles.of(hits) };
  }
  const beforeKey = at.isPastIndex ? at.beforeKey : undefined;
  const unread = (query.in.includes('output') ? lookUp.leftOut(query, beforeKey) : [])
    .concat(running.leftOut.filter(({ key }) => key < (beforeKey ?? Number.POSITIVE_INFINITY)))
    .sort((a, b) => b.key - a.key);
  const left: Left = { next: null, notSearched: [], count: 0 };
  if (isFull) left.next = `k${last.key}`;
  else {
    const time = new SearchTime(signal, query.budgetMs);
    const onNotSearched = (one: NotSearched): void => void left.notSearched.push(one);
    const scan = { time, tally: { blocks: 0, bytes: 0, redactions: 0 }, onFault, onNotSearched };
    const wanted = { left, isNew, room: query.limit - rows.length };
    for await (const hit of readUnread(unread, { dataFolder, query, scan }, wanted))
      yield { type: 'hits', hits: [hit], titles: await titles.of([hit]) };
    if (time.isStopped) return;
  }
  const isAll = left.next === null && query.cursor === undefined;
  const total = isAll ? rows.length + left.count : lookUp.count(phrases, query) + found.length;
  yield {
    ...NOTHING_MORE,
    by: 'index',
    total: Math.min(total, MAX_TOTAL),
    isTotalCapped: total > MAX_TOTAL || (!isAll && unread.length > 0),
    next: left.next,
    leftOut: isFull ? unread.length : 0,
    notSearched: left.notSearched,
    unread: [...faults.values(), ...(await lostOutput(dataFolder, query))],
  };
}

/** The hits of these rows. `onFault` reports a terminal that cannot be read; a removed one has no hits. */
async function readHits(
  rows: readonly DocRow[],
  { onFault, ...wish }: Parameters<typeof readHit>[1] & { onFault: (fault: ReadFault) => void },
): Promise<SearchHit[]> {
  const hits = rows.map((row) =>
    readHit(row, wish).catch((error: unknown) => {
      const fault = readFaultOf(error, new SessionFolder(wish.dataFolder, row.terminalId).root);
      if (!fault) throw error;
      onFault(fault);
      return null;
    }),
  );
  return (await Promise.all(hits)).filter((hit) => hit !== null);
}

interface Left {
  next: string | null;
  notSearched: NotSearched[];
  count: number;
}

/** Hits in blocks whose middle the index lacks; `left` has the blocks that were not read. */
async function* readUnread(
  unread: readonly DocRow[],
  { dataFolder, query, scan }: { dataFolder: string; query: SearchQuery; scan: ScanContext },
  { left, isNew, room }: { left: Left; isNew: (row: DocRow) => boolean; room: number },
): AsyncGenerator<BlockHit> {
  const matcher = makeMatcher(query);
  if (typeof matcher === 'string') throw new Error(`an index was asked for what is no query of words: ${matcher}`);
  let isFirst = true;
  for (const row of unread) {
    if (!isNew(row)) continue;
    const folder = new SessionFolder(dataFolder, row.terminalId);
    const hit = left.count < room ? await scanBlock(folder, blockOf(row), { query, matcher, ...scan }) : LATE;
    if (scan.time.isStopped) return;
    if (typeof hit === 'symbol') {
      // a block that alone takes longer than the limit would be tried forever
      const isTooLong = isFirst && left.count < room;
      if (isTooLong) left.notSearched.push({ terminalId: row.terminalId, id: row.id });
      if (!isTooLong || row !== unread.at(-1)) left.next = `s${isTooLong ? row.key : row.key + 1}`;
      return;
    }
    isFirst = false;
    if (!hit) continue;
    left.count += 1;
    yield hit;
  }
}

function blockOf({ terminalId, id, cmd, cwd, atMs, exitCode, outLines, status }: DocRow): SearchedBlock {
  const known = (status ?? 'unknown_end') as BlockStatus; // written only from a Block's status
  const counted = { outputLines: outLines, ephemeral: false, status: known };
  return { terminalId, id, cmd, cwd, startedMs: atMs, exitCode, ...counted };
}

/** Hits of any query, by reading the files, as they are found. */
export async function* findByFiles(
  dataFolder: string,
  query: SearchQuery,
  signal?: AbortSignal,
): AsyncGenerator<SearchEvent> {
  let count = 0;
  let next: string | null = null;
  let error: string | null = null;
  const titles = new TitleCache(dataFolder);
  const tally = { blocks: 0, bytes: 0, redactions: 0 };
  const notSearched: NotSearched[] = [];
  const faults = new Map<string, ReadFault>();
  if (query.query !== '') {
    const time = new SearchTime(signal, query.budgetMs);
    for await (const scanned of scanRecord(dataFolder, query, {
      time,
      tally,
      onFault: (fault) => faults.set(fault.path, fault),
      onNotSearched: (one) => notSearched.push(one),
    })) {
      if (scanned.type === 'error') {
        error = scanned.reason;
        break;
      }
      if (scanned.type === 'late') {
        next = scanned.cursor;
        if (scanned.skipped) notSearched.push(scanned.skipped);
        break;
      }
      const hits: SearchHit[] = [scanned.hit];
      yield { type: 'hits', hits, titles: await titles.of(hits) };
      count += 1;
      if (count < query.limit) continue;
      next = scanned.cursor;
      break;
    }
    if (time.isStopped) return;
  }
  const unread = [...faults.values(), ...(await lostOutput(dataFolder, query))];
  yield { ...NOTHING_MORE, by: 'files', next, scanned: tally, notSearched, error, unread };
}

/** `k<key>`: the next look-up is before that block. `s<key>`: look-ups are done; the next block to read is before that one. */
function placeOfCursor(cursor: string | undefined): { isPastIndex: boolean; beforeKey: number | undefined } {
  const [, kind, digits] = cursor?.match(/^([ks])(\d{1,16})$/) ?? [];
  return { isPastIndex: kind === 's', beforeKey: digits === undefined ? undefined : Number(digits) };
}
