import { PAST_ID } from '../../src-main/contract/pastId.ts';
import type { SearchEnd, SearchHit } from '../../src-main/contract/search.ts';
import { formatDay } from '../app/clock.svelte.ts';
import { strings } from '../app/strings.ts';

/** Hits that follow each other, of one day and one terminal. */
export interface HitGroup {
  readonly key: string;
  readonly day: string;
  readonly terminalId: string;
  /** For imported conversations: the conversation, as in `titles`. */
  readonly place: string;
  readonly hits: readonly SearchHit[];
}

/** The hits in their order, under headings. */
export function hitGroups(hits: readonly SearchHit[], nowMs: number): HitGroup[] {
  const groups: (Omit<HitGroup, 'hits'> & { hits: SearchHit[] })[] = [];
  for (const hit of hits) {
    const day = formatDay(hit.atMs, nowMs);
    const last = groups.at(-1);
    const { terminalId } = hit;
    const place = terminalId === PAST_ID && hit.type === 'message' ? `${terminalId}/${hit.conversationId}` : terminalId;
    if (last?.day === day && last.place === place) last.hits.push(hit);
    else groups.push({ key: `${terminalId}/${hit.id}`, day, terminalId, place, hits: [hit] });
  }
  return groups;
}

/** What the foot says of an answer. `shown`: hits that are there so far. */
export function endWords(end: SearchEnd | null, shown: number, isSearching: boolean): string {
  const { moreThan, newest, results, searching } = strings.search;
  if (!end) return isSearching ? searching : '';
  if (end.total === null) return end.next === null ? results(shown) : newest(shown);
  return end.isTotalCapped ? moreThan(end.total) : results(end.total);
}

/** What an answer leaves out, and why; null when it is whole. */
export function missingWords(end: SearchEnd | null): string | null {
  const { indexing, indexPaused, leftOut, tooLong, unread } = strings.search;
  if (!end) return null;
  if (end.unread.length > 0) return unread(end.unread);
  if (end.indexing) return indexing(Math.floor((end.indexing.seen / Math.max(1, end.indexing.all)) * 100));
  if (end.isResting) return indexPaused;
  const [first, ...others] = end.notSearched;
  if (first) return tooLong(first.id, others.length);
  return end.by !== 'index' || end.leftOut === 0 ? null : leftOut(end.leftOut);
}
