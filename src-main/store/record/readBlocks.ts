import { Block } from '../../contract/block.ts';
import { readLinesBackward } from '../files/readBackward.ts';
import { isBlank, parseLine } from '../files/readJsonLines.ts';
import type { SessionFolder } from './SessionFolder.ts';

export interface BlockPage {
  /** Ordered by seq, oldest first, each in its latest version. */
  blocks: Block[];
  badLines: number;
  /** The record has no older block. */
  isFirst: boolean;
}

export interface BlockQuery {
  /** Only blocks before this one. */
  beforeSeq?: number;
  limit: number;
}

/**
 * Reads the newest `limit` blocks (before `beforeSeq`) from the end of blocks.jsonl, only as far back as needed.
 *
 * A block's lines are: `running` when it begins, then its later versions. So the first line seen from the end is the
 * valid one. `running` lines are in the order of seq, only one block runs at a time, and no writer adds a `running` line to a
 * block after the next one began. So after a `running` line of seq m, every block from m on has been seen. A block that is
 * still `running` although a later one began has lost its end (on a full disk): its status becomes `unknown_end`.
 */
export async function readBlocks(folder: SessionFolder, query: BlockQuery): Promise<BlockPage> {
  const tail = new BlockTail(query.beforeSeq);
  let isFirst = true;
  for await (const { line } of readLinesBackward(folder.blocksJsonl)) {
    tail.take(line);
    if (tail.completeCount <= query.limit) continue;
    isFirst = false;
    break;
  }
  const blocks = tail.blocks({ isWhole: isFirst });
  return { blocks: query.limit > 0 ? blocks.slice(-query.limit) : [], badLines: tail.badLines, isFirst };
}

/** Cannot match inside a string, where a quote follows a backslash. */
const SEQ = /"seq":(\d+)/;

/** No block runs without a writer; the next start closes such a block in the same way. */
export function asEnded(block: Block): Block {
  return block.status === 'running' ? { ...block, status: 'interrupted', endedBy: 'recovery' } : block;
}

/** The blocks before `beforeSeq`, from the lines of a blocks.jsonl in reverse order. */
export class BlockTail {
  readonly #beforeSeq: number;
  readonly #byId = new Map<string, Block>();
  /** The smallest seq with a `running` line: no later block is missing. */
  #completeFrom = Number.POSITIVE_INFINITY;
  #completeCount = 0;
  /** Seqs seen below `#completeFrom`. */
  #seenBelow: number[] = [];
  #newestSeq = 0;
  #badLines = 0;

  constructor(beforeSeq = Number.POSITIVE_INFINITY) {
    this.#beforeSeq = beforeSeq;
  }

  /** Number of lines that are not blocks. */
  get badLines(): number {
    return this.#badLines;
  }

  /** Number of blocks without a missing later one. */
  get completeCount(): number {
    return this.#completeCount;
  }

  take(line: Buffer | null): void {
    if (line && this.#isTooNew(line)) return;
    const block = line === null ? undefined : parseLine(line, (json) => Block.parse(json));
    if (!block) {
      if (line === null || !isBlank(line)) this.#badLines += 1;
      return;
    }
    this.#newestSeq = Math.max(this.#newestSeq, block.seq);
    if (block.seq < this.#beforeSeq && !this.#byId.has(block.id)) {
      this.#byId.set(block.id, block);
      this.#seenBelow.push(block.seq);
    }
    if (block.status === 'running' && block.seq < this.#completeFrom) this.#complete(block.seq);
  }

  /** Skips lines without parsing them: finding the number costs a tenth of reading the record, and an old page skips many. */
  #isTooNew(line: Buffer): boolean {
    if (this.#beforeSeq === Number.POSITIVE_INFINITY) return false;
    const seq = Number(SEQ.exec(line.toString('latin1'))?.[1] ?? -1);
    this.#newestSeq = Math.max(this.#newestSeq, seq);
    return seq >= this.#beforeSeq;
  }

  #complete(fromSeq: number): void {
    this.#completeFrom = fromSeq;
    const below = this.#seenBelow.filter((seq) => seq < fromSeq);
    this.#completeCount += this.#seenBelow.length - below.length;
    this.#seenBelow = below;
  }

  /** In the order of seq. With `isWhole` all blocks seen, otherwise those from the first complete one on. */
  blocks({ isWhole }: { isWhole: boolean }): Block[] {
    return [...this.#byId.values()]
      .filter((block) => isWhole || block.seq >= this.#completeFrom)
      .sort((a, b) => a.seq - b.seq)
      .map((block) =>
        block.status === 'running' && block.seq < this.#newestSeq ? { ...block, status: 'unknown_end' } : block,
      );
  }
}
