import { type SearchEvent, SearchQuery } from '../contract/search.ts';
import { procedure, router } from './trpc.ts';

/** Everything recorded, of all terminals. */
export const searchRouter = router({
  /** Yields hits as they are found, newest first, then one `end`. Unsubscribing ends the search; `next` of the end is the cursor of the next page. */
  find: procedure.input(SearchQuery).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<SearchEvent> {
    yield* ctx.core.search.find(input, signal);
  }),
});
