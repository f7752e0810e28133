import { SvelteMap } from 'svelte/reactivity';
import type {
  SearchEnd,
  SearchEvent,
  SearchHit,
  SearchMode,
  SearchPlace,
  SearchQuery,
} from '../../src-main/contract/search.ts';
import type { SearchRpc, Stop } from '../rpc/Rpc.ts';

/** Pause in typing before a request. */
const ASK_AFTER_MS = 90;
const PAGE = 40;
/** While the index is being built an answer may be incomplete, so the request is repeated after this time. */
const ASK_AGAIN_MS = 600;

/** Where to search: everywhere, or in one kind of text. */
export type Where = 'all' | SearchPlace;

/** The search over the records of all terminals. The core searches; this class holds the hits and the selected one. */
export class EverywhereSearch {
  readonly #rpc: SearchRpc;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: Stop | undefined;

  isOpen = $state(false);
  query = $state('');
  mode = $state<SearchMode>('words');
  where = $state<Where>('all');
  /** Newest first. What an earlier question found stays until the present one has an answer. */
  hits = $state.raw<readonly SearchHit[]>([]);
  /** What the terminals of the hits are called, by id. */
  titles = $state.raw<Readonly<Record<string, string>>>({});
  /** What the last answer ended with; null while one is under way. */
  end = $state.raw<SearchEnd | null>(null);
  /** A question is under way. */
  isSearching = $state(false);
  error = $state<string | null>(null);
  /** `keyOf` the hit that Return opens. */
  chosen = $state('');

  /** Nothing was asked. */
  readonly isIdle = $derived(this.query.trim() === '');
  readonly byKey = $derived(new SvelteMap(this.hits.map((hit) => [keyOf(hit), hit])));

  constructor(rpc: SearchRpc) {
    this.#rpc = rpc;
  }

  open(): void {
    this.isOpen = true;
    this.search(); // more may be recorded since
  }

  close(): void {
    this.isOpen = false;
    this.#leave();
  }

  /** The question changed; asks when typing pauses. */
  search(change: { query?: string; mode?: SearchMode; where?: Where } = {}): void {
    Object.assign(this, change);
    this.#leave();
    if (this.isIdle) return this.#forget();
    this.isSearching = true;
    this.#timer = setTimeout(() => this.#ask(null), ASK_AFTER_MS);
  }

  /** Loads the next page, unless all are loaded or one is loading. */
  more(): void {
    const next = this.end?.next;
    if (!next || this.isSearching) return;
    this.#leave(); // the first page may be on its way again
    this.#ask(next);
  }

  dispose(): void {
    this.#leave();
  }

  /** `isAgain`: the query is the same, so the selected hit stays selected. */
  #ask(cursor: string | null, isAgain = false): void {
    let isFirst = cursor === null;
    this.isSearching = !isAgain;
    const where = this.where === 'all' ? {} : { in: [this.where] };
    const query: SearchQuestion = {
      query: this.query,
      mode: this.mode,
      limit: PAGE,
      ...where,
      ...(cursor && { cursor }),
    };
    this.#stop = this.#rpc.find(query, {
      onEvent: (event) => {
        if (isFirst) this.#begin(isAgain ? this.chosen : '');
        isFirst = false;
        this.#take(event);
        if (event.type === 'end' && event.indexing && cursor === null) this.#askAgainLater();
      },
      onError: (error) => {
        this.isSearching = false;
        this.error = error instanceof Error ? error.message : String(error);
      },
    });
  }

  /** The first answer to a new question takes the place of what the earlier one found. */
  #begin(chosen: string): void {
    this.hits = [];
    this.end = null;
    this.error = null;
    this.chosen = chosen;
  }

  /** Unless the reader has gone on to a further page by then. */
  #askAgainLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(null, true), ASK_AGAIN_MS);
  }

  #take(event: SearchEvent): void {
    if (event.type === 'hits') {
      this.hits = [...this.hits, ...event.hits];
      this.titles = { ...this.titles, ...event.titles };
      const [first] = this.hits;
      if (this.chosen === '' && first) this.chosen = keyOf(first);
      return;
    }
    this.end = event;
    this.error = event.error;
    this.isSearching = false;
    if (!this.byKey.has(this.chosen)) this.chosen = this.hits[0] ? keyOf(this.hits[0]) : '';
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#stop?.();
    this.#stop = undefined;
    this.isSearching = false;
  }

  #forget(): void {
    this.hits = [];
    this.end = null;
    this.error = null;
    this.chosen = '';
  }
}

type SearchQuestion = Parameters<SearchRpc['find']>[0] & Partial<SearchQuery>;

export function keyOf({ terminalId, id }: SearchHit): string {
  return `${terminalId}/${id}`;
}
