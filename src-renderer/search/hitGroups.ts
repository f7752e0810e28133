import type { SearchEnd, SearchHit } from '../../src-main/contract/search.ts';
import { formatCount } from '../app/formatWords.ts';
import { formatDay } from './formatDay.ts';

/** Hits that follow each other, of one day and one terminal. */
export interface HitGroup {
  readonly key: string;
  readonly day: string;
  readonly terminalId: string;
  readonly hits: readonly SearchHit[];
}

/** The hits in their order, under headings. */
export function hitGroups(hits: readonly SearchHit[], nowMs: number): HitGroup[] {
  const groups: { key: string; day: string; terminalId: string; hits: SearchHit[] }[] = [];
  for (const hit of hits) {
    const day = formatDay(hit.atMs, nowMs);
    const last = groups.at(-1);
    if (last?.day === day && last.terminalId === hit.terminalId) last.hits.push(hit);
    else groups.push({ key: `${hit.terminalId}/${hit.id}`, day, terminalId: hit.terminalId, hits: [hit] });
  }
  return groups;
}

/** What the foot says of an answer. `shown`: hits that are there so far. */
export function endWords(end: SearchEnd | null, shown: number, isSearching: boolean): string {
  if (!end) return isSearching ? 'Searching…' : '';
  if (end.total === null) return end.next === null ? `${formatCount(shown)} found` : `The newest ${formatCount(shown)}`;
  if (end.isTotalCapped) return `More than ${formatCount(end.total)} found`;
  return `${formatCount(end.total)} found`;
}

/** What an answer leaves out, and why; null when it is whole. */
export function missingWords(end: SearchEnd | null): string | null {
  if (!end) return null;
  if (end.indexing) {
    const percent = Math.floor((end.indexing.seen / Math.max(1, end.indexing.all)) * 100);
    return `Still being indexed, ${percent} %: older text may be missing`;
  }
  if (end.isResting) return 'Nearly no room on the disk: the index rests, and every file was read';
  const [first, ...others] = end.notSearched;
  if (first)
    return `${first.id} was not searched in full${others.length > 0 ? `, nor ${formatCount(others.length)} more` : ''}: too long`;
  if (end.by !== 'index' || end.leftOut === 0) return null;
  return `${formatCount(end.leftOut)} very long ${end.leftOut === 1 ? 'output is' : 'outputs are'} not read in full yet; “More” reads on`;
}
