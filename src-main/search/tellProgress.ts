import type { IndexProgress, SearchEvent } from '../contract/search.ts';

/**
 * The events of a search by the index; its end says how far the index was. What was missing when the search began may have been missed, also
 * when it is there by the end.
 */
export async function* tellProgress(
  events: AsyncIterable<SearchEvent>,
  progress: () => Promise<IndexProgress | null>,
): AsyncGenerator<SearchEvent> {
  const before = await progress();
  for await (const event of events)
    yield event.type === 'end' ? { ...event, indexing: before && ((await progress()) ?? before) } : event;
}
