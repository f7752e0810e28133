import type { Rpc } from '../rpc/Rpc.ts';
import { EverywhereSearch } from './EverywhereSearch.svelte.ts';
import { HistorySearch } from './HistorySearch.svelte.ts';

/** The window's searches: through earlier commands, and through everything recorded. */
export class Searches {
  readonly history: HistorySearch;
  readonly everywhere: EverywhereSearch;

  constructor(rpc: Rpc) {
    this.history = new HistorySearch(rpc);
    this.everywhere = new EverywhereSearch(rpc.search);
  }
}
