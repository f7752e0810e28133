import { Block } from '../../contract/block.ts';
import { readLinesBackward } from '../files/readBackward.ts';
import { isBlank, parseLine } from '../files/readJsonLines.ts';
import type { SessionFolder } from './SessionFolder.ts';

export interface BlockPage {
  /** In the order of seq, oldest first, each in its latest version. */
  blocks: Block[];
  badLines: number;
  /** Nothing older is on record. */
  isFirst: boolean;
}

export interface BlockQuery {
  /** Only blocks before this one. */
  beforeSeq?: number;
  limit: number;
}

/**
 * The newest `limit` blocks (before `beforeSeq`), read from the end of blocks.jsonl only as far back as it takes.
 *
 * A block's lines are: `running` when it begins, then its later versions; so the first line seen from the end is the
 * valid one. Begins stand in the order of seq, only one block runs at a time, and nobody writes `running` of a block that
 * another one followed; therefore: once a `running` line of seq m has been seen, every block from m on has been seen. A block that still says `running` although a later one began
 * has lost its end (to a full disk): it is told as `unknown_end`.
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

/** Cannot match within a string: a quote in there has a backslash before it. */
const SEQ = /"seq":(\d+)/;

/** Nothing runs where nobody writes; the next start closes such a block in the same words. */
export function asEnded(block: Block): Block {
  return block.status === 'running' ? { ...block, status: 'interrupted', endedBy: 'recovery' } : block;
}

/** What the lines of a blocks.jsonl tell of the blocks before `beforeSeq`, taken from the last line to the first. */
export class BlockTail {
  readonly #beforeSeq: number;
  readonly #byId = new Map<string, Block>();
  /** The smallest seq with a `running` line: from here on nothing is missing. */
  #completeFrom = Number.POSITIVE_INFINITY;
  #completeCount = 0;
  /** Seqs that were seen and are below `#completeFrom`. */
  #seenBelow: number[] = [];
  #newestSeq = 0;
  #badLines = 0;

  constructor(beforeSeq = Number.POSITIVE_INFINITY) {
    this.#beforeSeq = beforeSeq;
  }

  /** Lines that are no block. */
  get badLines(): number {
    return this.#badLines;
  }

  /** How many blocks are known for which nothing later is missing. */
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

  /** A page deep in the past passes over many lines; looking for the number costs a tenth of reading the record. */
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

  /** In the order of seq. With `isWhole` all that was seen, else from the first complete one on. */
  blocks({ isWhole }: { isWhole: boolean }): Block[] {
    return [...this.#byId.values()]
      .filter((block) => isWhole || block.seq >= this.#completeFrom)
      .sort((a, b) => a.seq - b.seq)
      .map((block) =>
        block.status === 'running' && block.seq < this.#newestSeq ? { ...block, status: 'unknown_end' } : block,
      );
  }
}
