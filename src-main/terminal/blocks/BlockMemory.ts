import type { Block } from '../../contract/block.ts';

/** Blocks in memory; older ones are read from blocks.jsonl. */
const MAX_BLOCKS = 5_000;

/** A shell's first bytes may be taken out of a block's beginning afterwards. */
const MAX_LEAD_BYTES = 1024;

/** The blocks that a terminal has when it is opened; `earlier`: see `BlockMemory`. */
export interface BlocksBefore {
  readonly nextSeq: number;
  readonly blocks?: readonly Block[] | undefined;
  readonly earlier?: readonly Block[] | undefined;
}

/** The newest blocks of one terminal, and which of them have a line in blocks.jsonl. */
export class BlockMemory {
  readonly #blocks = new Map<string, Block>();
  readonly #written = new Set<string>();
  /** Blocks of an earlier core that come again, by their number. */
  readonly #earlier: Map<number, Block>;

  /** `earlier`: blocks that have lines, and that the output which is caught up with makes again. */
  constructor(written: readonly Block[], earlier: readonly Block[] = []) {
    this.#earlier = new Map(earlier.map((block) => [block.seq, block]));
    for (const { id } of earlier) this.#written.add(id);
    for (const block of written) {
      this.#blocks.set(block.id, block);
      this.#written.add(block.id);
    }
  }

  /** A block that begins, as the earlier core knew it. */
  begun(block: Block): Block {
    const known = this.#earlier.get(block.seq);
    if (!known || known.kind !== block.kind || Math.abs(known.rawStart - block.rawStart) > MAX_LEAD_BYTES) return block;
    const { id, startedMs, actor, bookmarked, gitBranch, cmdRequested } = known;
    return {
      ...block,
      ...{
        id,
        startedMs,
        actor,
        bookmarked,
        cmd: block.cmd ?? known.cmd,
        textSource: block.textSource ?? known.textSource,
      },
      ...(gitBranch !== undefined && { gitBranch }),
      ...(cmdRequested !== undefined && { cmdRequested }),
    };
  }

  /** A block that has ended, with the times that the earlier core saw. */
  ended(block: Block): Block {
    const known = this.#earlier.get(block.seq);
    if (known?.id !== block.id) return block;
    this.#earlier.delete(block.seq);
    if (known.rawEnd !== block.rawEnd) return block;
    return { ...block, endedMs: known.endedMs, durationMs: known.durationMs, bookmarked: known.bookmarked };
  }

  /** All output was caught up with: the blocks that ran and have not come again, but for the one that runs. */
  lost(openId: string | undefined): Block[] {
    return [...this.#earlier.values()].filter(({ id, status }) => id !== openId && status === 'running');
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
