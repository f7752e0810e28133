import type { IndexEntry } from '../../blocks/lineIndex.ts';
import type { ShellBefore } from '../../blocks/ShellBefore.ts';
import type { Block } from '../../contract/block.ts';

/** Blocks to keep in memory; older ones are read from blocks.jsonl. */
const MAX_BLOCKS = 5_000;

/** Most bytes of a shell that may later be removed from a block's beginning. */
const MAX_LEAD_BYTES = 1024;

/** The blocks of a terminal when it is opened; `earlier`: see `BlockMemory`. */
export interface BlocksBefore {
  readonly nextSeq: number;
  readonly blocks?: readonly Block[] | undefined;
  readonly earlier?: readonly Block[] | undefined;
  readonly kept?: KeptText | null | undefined;
  readonly before?: ShellBefore | undefined;
}

/** Text of the running block that an earlier core has written, up to the last entry of its index. */
export interface KeptText {
  readonly id: string;
  readonly index: readonly IndexEntry[];
}

/** The newest blocks of one terminal, and which of them have a line in blocks.jsonl. */
export class BlockMemory {
  readonly #blocks = new Map<string, Block>();
  readonly #written = new Set<string>();
  /** Blocks of an earlier core that the output will create again, by seq. */
  readonly #earlier: Map<number, Block>;
  readonly #kept: KeptText | null;
  /** Blocks that the output to catch up with created, and that have no line in blocks.jsonl. */
  readonly #unwritten = new Set<string>();
  #isCatchingUp: boolean;

  /** `earlier`: blocks with lines in blocks.jsonl that the output to catch up with will create again. */
  constructor(written: readonly Block[], earlier?: readonly Block[], kept: KeptText | null = null) {
    this.#kept = kept;
    this.#isCatchingUp = earlier !== undefined;
    this.#earlier = new Map(earlier?.map((block) => [block.seq, block]));
    for (const { id } of earlier ?? []) this.#written.add(id);
    for (const block of written) {
      this.#blocks.set(block.id, block);
      this.#written.add(block.id);
    }
  }

  /** Returns a new block with the values of the earlier core. */
  begun(block: Block): Block {
    const known = this.#earlier.get(block.seq);
    if (!known || known.kind !== block.kind || Math.abs(known.rawStart - block.rawStart) > MAX_LEAD_BYTES) {
      if (this.#isCatchingUp) this.#unwritten.add(block.id);
      return block;
    }
    const { id, startedMs, actor, bookmarked, gitBranch, cmdRequested, cols, nested } = known;
    const cmd = block.cmd ?? known.cmd;
    return {
      ...{ ...block, id, startedMs, actor, bookmarked, cmd, textSource: block.textSource ?? known.textSource },
      ephemeral: block.ephemeral && cmd === block.cmd, // the earlier core has read its text, and has kept it
      ...(cols !== undefined && { cols }), // the screen may have been resized since
      ...(gitBranch !== undefined && { gitBranch }),
      ...(cmdRequested !== undefined && { cmdRequested }),
      ...(nested !== undefined && { nested }), // it may have ended since
    };
  }

  /** Returns an ended block with the times of the earlier core. */
  ended(block: Block): Block {
    const known = this.#earlier.get(block.seq);
    if (known?.id !== block.id) return block;
    this.#earlier.delete(block.seq);
    if (known.rawEnd !== block.rawEnd) return block;
    return { ...block, endedMs: known.endedMs, durationMs: known.durationMs, bookmarked: known.bookmarked };
  }

  /** Returns a block whose command became known: after its end, with what has become known of its text since. */
  changed(block: Block): Block {
    const known = this.#blocks.get(block.id);
    if (known === undefined || known.rawEnd === null) return block;
    const { cmd, textSource, ephemeral } = block;
    return { ...known, cmd, textSource, ephemeral };
  }

  /** True if an earlier core may have kept the block out of the record, because it knew the text. */
  isKeptOut(id: string): boolean {
    return this.#unwritten.has(id) && this.#blocks.get(id)?.ephemeral === true;
  }

  /** Call this after catching up: returns the running blocks that did not come again, except the one that still runs. */
  lost(openId: string | undefined): Block[] {
    this.#isCatchingUp = false;
    return [...this.#earlier.values()].filter(({ id, status }) => id !== openId && status === 'running');
  }

  /** Index of the text that an earlier core has written for this block. */
  keptIndex(id: string): readonly IndexEntry[] | undefined {
    return this.#kept?.id === id ? this.#kept.index : undefined;
  }

  get(id: string): Block | undefined {
    return this.#blocks.get(id);
  }

  /** Blocks before `seq`, oldest first. */
  before(seq: number): Block[] {
    return [...this.#blocks.values()].filter((block) => block.seq < seq).sort((a, b) => a.seq - b.seq);
  }

  /** Adds the block, and drops the oldest one if there are too many, but never `openId` or one that is in no file. */
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
