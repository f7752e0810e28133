import { SvelteMap } from 'svelte/reactivity';
import type { StyledLine } from '../../../src-main/contract/block.ts';
import { MOST_WHOLE_LINES } from '../../../src-main/contract/screen/cardLines.ts';
import type { BlockRef, BlockRpc } from '../../rpc/Rpc.ts';
import { CHUNK_LINES } from './lineWindow.ts';
import { TAIL_LINES } from './outputShape.ts';

/** Most chunks of an expanded output that are kept: 12,000 lines, however long the output is. */
const KEPT_CHUNKS = 120;

/** The loaded text of one finished block: its two ends, and the chunks around the reader. */
export class BlockOutput {
  readonly #rpc: Pick<BlockRpc, 'lines'>;
  readonly #ref: BlockRef;
  readonly #chunks = new SvelteMap<number, readonly StyledLine[]>();
  readonly #asked = new Set<number>();
  /** Grows with each refresh, so that answers to earlier requests are dropped. */
  #version = 0;
  #hasAskedEnds = false;

  total = $state(0);
  /** All lines of a short output, or the first lines of a long one: as many as a card shows at first. */
  head = $state.raw<readonly StyledLine[]>([]);
  tail = $state.raw<readonly StyledLine[]>([]);
  /** The ends are loaded, so the card can be drawn in its final form. */
  isReady = $state(false);
  fault = $state<string | null>(null);

  constructor(rpc: Pick<BlockRpc, 'lines'>, ref: BlockRef, expectedLines: number) {
    this.#rpc = rpc;
    this.#ref = ref;
    this.total = expectedLines;
  }

  /** Loads the ends, once. */
  want(): void {
    if (this.#hasAskedEnds) return;
    this.#hasAskedEnds = true;
    void this.#readEnds();
  }

  /** Call when the block has grown or ended. The drawn lines stay until the new ones have arrived. */
  refresh(expectedLines: number): void {
    this.#version += 1;
    this.#asked.clear();
    this.#chunks.clear();
    this.total = Math.max(this.total, expectedLines);
    this.#hasAskedEnds = true;
    void this.#readEnds();
  }

  /** The lines of a chunk, or undefined until they are loaded. */
  chunk(index: number): readonly StyledLine[] | undefined {
    return this.#chunks.get(index);
  }

  /** Requests those of the chunks that are missing. Call from an effect: it never writes state that it reads. */
  wantChunks(indexes: readonly number[]): void {
    for (const index of indexes) {
      if (this.#asked.has(index)) continue;
      this.#asked.add(index);
      void this.#readChunk(index);
    }
    this.#forget(indexes);
  }

  async #readEnds(): Promise<void> {
    const version = this.#version;
    try {
      const first = await this.#rpc.lines({ ...this.#ref, from: 0, count: MOST_WHOLE_LINES });
      const isLong = first.total > first.lines.length;
      const last = isLong ? await this.#rpc.lines({ ...this.#ref, from: -TAIL_LINES, count: TAIL_LINES }) : undefined;
      if (version !== this.#version) return;
      this.total = first.total;
      this.head = first.lines;
      this.tail = last?.lines ?? first.lines.slice(-TAIL_LINES);
      this.fault = null;
      this.isReady = true;
    } catch (error) {
      if (version !== this.#version) return;
      this.#hasAskedEnds = false; // the next call tries again
      this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  async #readChunk(index: number): Promise<void> {
    const version = this.#version;
    try {
      const from = index * CHUNK_LINES;
      const { lines } = await this.#rpc.lines({ ...this.#ref, from, count: CHUNK_LINES });
      if (version === this.#version && this.#asked.has(index)) this.#chunks.set(index, lines);
    } catch (error) {
      this.#asked.delete(index);
      if (version === this.#version) this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  /** Drops the chunks farthest from the wanted ones. */
  #forget(wanted: readonly number[]): void {
    const middle = wanted[Math.floor(wanted.length / 2)] ?? 0;
    const far = [...this.#asked].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const index of far.slice(0, Math.max(0, far.length - KEPT_CHUNKS))) {
      this.#asked.delete(index);
      this.#chunks.delete(index);
    }
  }
}
