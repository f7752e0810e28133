import type { IndexProgress, SearchEvent } from '../contract/search.ts';

/**
 * The events of a search by the index; the end event has the progress of the index. It includes text that was missing when the search began, even if
 * it has been indexed since, because the search may have missed it.
 */
export async function* tellProgress(
  events: AsyncIterable<SearchEvent>,
  progress: () => Promise<IndexProgress | null>,
): AsyncGenerator<SearchEvent> {
  const before = await progress();
  for await (const event of events)
    yield event.type === 'end' ? { ...event, indexing: before && ((await progress()) ?? before) } : event;
}
