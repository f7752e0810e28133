import type { Block } from '../../contract/block.ts';

/** Blocks in memory; older ones are read from blocks.jsonl. */
const MAX_BLOCKS = 5_000;

/** The newest blocks of one terminal, and which of them have a line in blocks.jsonl. */
export class BlockMemory {
  readonly #blocks = new Map<string, Block>();
  readonly #written = new Set<string>();

  constructor(written: readonly Block[]) {
    for (const block of written) {
      this.#blocks.set(block.id, block);
      this.#written.add(block.id);
    }
  }

  get(id: string): Block | undefined {
    return this.#blocks.get(id);
  }

  /** Those before `seq`, the oldest first. */
  before(seq: number): Block[] {
    return [...this.#blocks.values()].filter((block) => block.seq < seq).sort((a, b) => a.seq - b.seq);
  }

  /** Drops the oldest block when there are too many, but never the one with `openId` nor one that is in no file. */
  put(block: Block, openId: string | undefined): void {
    this.#blocks.set(block.id, block);
    if (this.#blocks.size > MAX_BLOCKS) this.#dropOldest(openId);
  }

  isWritten(id: string): boolean {
    return this.#written.has(id);
  }

  setWritten(id: string): void {
    this.#written.add(id);
  }

  #dropOldest(openId: string | undefined): void {
    for (const [id, { ephemeral }] of this.#blocks) {
      if (ephemeral || id === openId) continue;
      this.#blocks.delete(id);
      this.#written.delete(id);
      return;
    }
  }
}
