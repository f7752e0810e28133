import { type SearchEnd, type SearchEvent, type SearchHit, SearchQuery } from '../../src-main/contract/search.ts';

/** Collects all hits and the end of a search. */
export async function gather(events: AsyncIterable<SearchEvent>): Promise<{ hits: SearchHit[]; end: SearchEnd }> {
  const hits: SearchHit[] = [];
  for await (const event of events) {
    if (event.type === 'end') return { hits, end: event };
    hits.push(...event.hits);
  }
  throw new Error('the search came to no end');
}

/** A query with the defaults of its schema. */
export function aQuery(query: string, more: Partial<SearchQuery> = {}): SearchQuery {
  return SearchQuery.parse({ query, limit: 500, ...more });
}
