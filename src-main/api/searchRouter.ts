import { type SearchEvent, SearchQuery } from '../contract/search.ts';
import { procedure, router } from './trpc.ts';

/** Everything recorded, of all terminals. */
export const searchRouter = router({
  /** Hits as they are found, newest first, then one `end`. Leaving ends the search; `next` of the end asks for the page that follows. */
  find: procedure.input(SearchQuery).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<SearchEvent> {
    yield* ctx.core.search.find(input, signal);
  }),
});
