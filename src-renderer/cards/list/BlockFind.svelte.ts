import type { FindHit } from '../../../src-main/contract/api.ts';
import { strings } from '../../app/strings.ts';
import type { BlockRpc } from '../../rpc/Rpc.ts';
import type { LineMark } from '../output/linePieces.ts';

/** Most hits that next and previous step through. A larger number is shown as "2,000+". */
const MAX_HITS = 2000;
/** Pause in typing before a request. */
const ASK_AFTER_MS = 120;

/** The search within one tab or one block. The core searches the text; this class holds the hits and the current one. */
export class BlockFind {
  readonly #rpc: Pick<BlockRpc, 'find'>;
  readonly #terminalId: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #version = 0;

  isOpen = $state(false);
  query = $state('');
  isRegex = $state(false);
  /** The hits are the answer to the current query. */
  #isAnswered = $state(false);
  /** Only in this block; null = in the whole tab. */
  blockId = $state<string | null>(null);
  hits = $state.raw<readonly FindHit[]>([]);
  isTruncated = $state(false);
  error = $state<string | null>(null);
  at = $state(-1);
  /** Grows with each request to focus the field. */
  asked = $state(0);

  readonly current = $derived(this.hits[this.at]);
  readonly #byBlock = $derived(Map.groupBy(this.hits, ({ blockId }) => blockId));
  readonly summary = $derived.by(() => {
    if (this.error !== null) return this.error;
    if (this.query === '' || (this.hits.length === 0 && !this.#isAnswered)) return '';
    if (this.hits.length === 0) return strings.cards.findBar.noMatch;
    return strings.cards.findBar.position(this.at + 1, `${this.hits.length}${this.isTruncated ? '+' : ''}`);
  });

  constructor(rpc: Pick<BlockRpc, 'find'>, terminalId: string) {
    this.#rpc = rpc;
    this.#terminalId = terminalId;
  }

  open(blockId: string | null): void {
    this.blockId = blockId;
    this.isOpen = true;
    this.asked += 1;
    if (this.query !== '') this.search();
  }

  close(): void {
    this.isOpen = false;
    this.#forget();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#version += 1;
  }

  /** Call when the query changed. Sends the request when typing pauses. */
  search(): void {
    clearTimeout(this.#timer);
    this.#isAnswered = false;
    if (this.query === '') this.#forget();
    else this.#timer = setTimeout(() => void this.#ask(), ASK_AFTER_MS);
  }

  /** To the next or previous hit; wraps around at both ends. */
  step(by: 1 | -1): void {
    if (this.hits.length === 0) return;
    this.at = (this.at + by + this.hits.length) % this.hits.length;
  }

  /** The hits to highlight on line `n` of a block. */
  marks(blockId: string, n: number): LineMark[] {
    const hits = this.isOpen ? (this.#byBlock.get(blockId) ?? []) : [];
    return hits.filter((hit) => hit.n === n).map((hit) => ({ ...hit, isCurrent: hit === this.current }));
  }

  async #ask(): Promise<void> {
    this.#version += 1;
    const version = this.#version;
    const scope = this.blockId === null ? {} : { blockId: this.blockId };
    try {
      const { query, isRegex: regex } = this;
      const found = await this.#rpc.find({ terminalId: this.#terminalId, ...scope, query, regex, limit: MAX_HITS });
      if (version !== this.#version) return;
      this.hits = inReadingOrder(found.hits);
      this.#isAnswered = true;
      this.isTruncated = found.truncated;
      this.error = found.error;
      this.at = found.hits.length - 1; // the newest hit, which is nearest to the reader
    } catch (error) {
      if (version === this.#version) this.error = error instanceof Error ? error.message : String(error);
    }
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#version += 1;
    this.hits = [];
    this.at = -1;
    this.error = null;
  }
}

/** The core returns the newest block first, but the list shows the oldest first. Lines within a block are in order already. */
function inReadingOrder(hits: readonly FindHit[]): FindHit[] {
  return [...Map.groupBy(hits, ({ blockId }) => blockId).values()].reverse().flat();
}
