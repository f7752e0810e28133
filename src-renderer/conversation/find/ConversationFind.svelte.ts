import { formatCount } from '../../app/formatWords.ts';
import { strings } from '../../app/strings.ts';
import type { ConversationLog } from '../ConversationLog.svelte.ts';
import type { ChatItem } from '../chatItems.ts';
import { type ChatHit, hitsIn, searchText } from './chatSearch.ts';

/** Searching a thousand messages takes longer than a frame, so the search pauses for the window after so many ms. */
const PAUSE_AFTER_MS = 8;

/** Searches all of the shown conversation, also messages that were never drawn. */
export class ConversationFind {
  readonly #log: ConversationLog;
  isOpen = $state(false);
  query = $state('');
  /** Grows with each request to focus the field. */
  asked = $state(0);
  hits = $state.raw<readonly ChatHit[]>([]);
  at = $state(-1);
  isSearching = $state(false);
  #run = 0;

  readonly current = $derived(this.hits[this.at]);
  readonly summary = $derived.by(() => {
    if (this.query === '') return '';
    if (this.isSearching) return strings.conversation.find.searching;
    if (this.hits.length === 0) return strings.conversation.find.noMatch;
    return strings.conversation.find.position(formatCount(this.at + 1), formatCount(this.hits.length));
  });

  constructor(log: ConversationLog) {
    this.#log = log;
  }

  open(): void {
    this.isOpen = true;
    this.asked += 1;
  }

  close(): void {
    this.isOpen = false;
    this.query = '';
    this.#run += 1;
    this.hits = [];
    this.at = -1;
    this.isSearching = false;
  }

  /** Starts at the newest hit, because the reader is at the end. A later search ends this one. */
  async search(): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    const { query } = this;
    this.hits = [];
    this.at = -1;
    if (query === '') return;
    this.isSearching = true;
    await this.#log.loadAll();
    const hits: ChatHit[] = [];
    let turnMs = performance.now();
    for (const item of this.#log.items) {
      if (run !== this.#run) return;
      hits.push(...hitsOf(item, query));
      if (performance.now() - turnMs < PAUSE_AFTER_MS) continue;
      await new Promise((resume) => setTimeout(resume, 0));
      turnMs = performance.now();
    }
    if (run !== this.#run) return;
    this.hits = hits;
    this.at = hits.length - 1;
    this.isSearching = false;
  }

  /** Wraps around at both ends. */
  step(by: 1 | -1): void {
    const { length } = this.hits;
    if (length > 0) this.at = (this.at + by + length) % length;
  }
}

function hitsOf(item: ChatItem, query: string): ChatHit[] {
  if (item.type === 'event') return [];
  const text = [item.entry, ...item.results].map(({ message }) => searchText(message)).join('\n');
  return hitsIn(text, query).map((_, nth) => ({ key: item.key, nth }));
}
