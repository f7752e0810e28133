import type { FindHit } from '../../../src-main/contract/api.ts';
import { strings } from '../../app/strings.ts';
import type { BlockRpc } from '../../rpc/Rpc.ts';
import type { LineMark } from '../output/linePieces.ts';

/** Hits that are walked through; more are counted as "2,000+". */
const MAX_HITS = 2000;
/** Typing goes on while nothing is asked. */
const ASK_AFTER_MS = 120;

/** The search within one tab or one block. The core searches the text; this knows the hits and which of them is current. */
export class BlockFind {
  readonly #rpc: Pick<BlockRpc, 'find'>;
  readonly #terminalId: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #version = 0;

  isOpen = $state(false);
  query = $state('');
  isRegex = $state(false);
  /** What is known is the answer to the present question. */
  #isAnswered = $state(false);
  /** Only in this block; null = in the whole tab. */
  blockId = $state<string | null>(null);
  hits = $state.raw<readonly FindHit[]>([]);
  isTruncated = $state(false);
  error = $state<string | null>(null);
  at = $state(-1);
  /** Grows each time the field should have the keys. */
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

  /** The question changed; asks when typing pauses. */
  search(): void {
    clearTimeout(this.#timer);
    this.#isAnswered = false;
    if (this.query === '') this.#forget();
    else this.#timer = setTimeout(() => void this.#ask(), ASK_AFTER_MS);
  }

  /** To the next or the earlier hit, around the ends. */
  step(by: 1 | -1): void {
    if (this.hits.length === 0) return;
    this.at = (this.at + by + this.hits.length) % this.hits.length;
  }

  /** Where to draw hits on line `n` of a block. */
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
      this.at = found.hits.length - 1; // the newest, which is nearest to where the reader is
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

/** The core finds in the newest block first; in the column the oldest stands first. Within a block the lines are in order already. */
function inReadingOrder(hits: readonly FindHit[]): FindHit[] {
  return [...Map.groupBy(hits, ({ blockId }) => blockId).values()].reverse().flat();
}
