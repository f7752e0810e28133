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

/** Typing goes on while nothing is asked. */
const ASK_AFTER_MS = 90;
const PAGE = 40;

/** Where to search: everywhere, or in one kind of text. */
export type Where = 'all' | SearchPlace;

/** The search over everything recorded, of all terminals. The core searches; this knows what came and which of it is chosen. */
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

  /** The next page, where there is one and none is on its way. */
  more(): void {
    const next = this.end?.next;
    if (next && !this.isSearching) this.#ask(next);
  }

  dispose(): void {
    this.#leave();
  }

  #ask(cursor: string | null): void {
    let isFirst = cursor === null;
    this.isSearching = true;
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
        if (isFirst) this.#begin();
        isFirst = false;
        this.#take(event);
      },
      onError: (error) => {
        this.isSearching = false;
        this.error = error instanceof Error ? error.message : String(error);
      },
    });
  }

  /** The first answer to a new question takes the place of what the earlier one found. */
  #begin(): void {
    this.hits = [];
    this.end = null;
    this.error = null;
    this.chosen = '';
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
