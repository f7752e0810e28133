import type { Block } from '../../contract/block.ts';
import { JsonLines } from '../../store/files/JsonLines.ts';
import { findBlockById } from '../../store/record/findBlock.ts';
import { readBlocks } from '../../store/record/readBlocks.ts';
import type { SessionFolder } from '../../store/record/SessionFolder.ts';
import { detach } from '../../util/strayErrors.ts';
import type { BookDeps } from '../TerminalDeps.ts';
import type { TerminalRecord } from '../TerminalRecord.ts';
import type { BlockMemory } from './BlockMemory.ts';
import { blockSeq } from './blockId.ts';

export interface BlockPageQuery {
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

/** Facts that are newer than the memory. */
export interface BlocksNow {
  /** Seq of the next block. */
  readonly nextSeq: number;
  /** The running block with its counters. */
  readonly open: Block | null;
}

/** blocks.jsonl of one terminal. Blocks that are still in the memory are not read from the file. */
export class BlockLog {
  readonly #folder: SessionFolder;
  readonly #memory: BlockMemory;
  readonly #lines: JsonLines<Block>;

  constructor(
    record: Pick<TerminalRecord, 'folder' | 'reportFault'>,
    memory: BlockMemory,
    deps: Pick<BookDeps, 'clock' | 'log' | 'disk'>,
  ) {
    const { folder } = record;
    this.#folder = folder;
    this.#memory = memory;
    this.#lines = JsonLines.open<Block>(folder.blocksJsonl, {
      ...deps,
      makeFolder: () => folder.create(),
      onFault: (fault) => record.reportFault('blocks.jsonl', fault?.reason ?? null),
    });
  }

  async get(id: string): Promise<Block | null> {
    const known = this.#memory.get(id);
    if (known) return known;
    const seq = blockSeq(id);
    if (seq === null) return findBlockById(this.#folder, id);
    const { blocks } = await readBlocks(this.#folder, { beforeSeq: seq + 1, limit: 1 });
    return blocks.find((block) => block.id === id) ?? null;
  }

  /** The newest `limit` blocks before `beforeSeq`, oldest first. `more`: there are older ones. */
  async page(
    { beforeSeq = Number.MAX_SAFE_INTEGER, limit }: BlockPageQuery,
    { nextSeq, open }: BlocksNow,
  ): Promise<{ blocks: Block[]; more: boolean }> {
    const inMemory = this.#memory.before(beforeSeq);
    const newest = inMemory.slice(-limit).map((block) => (block.id === open?.id ? open : block));
    if (newest.length === limit && inMemory.length > limit) return { blocks: newest, more: true };
    const first = newest[0]?.seq ?? Math.min(beforeSeq, nextSeq);
    if (first <= 1) return { blocks: newest, more: false };
    const older = await readBlocks(this.#folder, { beforeSeq: first, limit: Math.max(1, limit - newest.length) });
    const blocks = [...older.blocks, ...newest].slice(-limit);
    return { blocks, more: !older.isFirst || blocks.length < older.blocks.length + newest.length };
  }

  /** Writes a version of the block. `lastSeq`: the seq of the newest block. */
  append(block: Block, lastSeq: number): void {
    const isLate = block.seq < lastSeq && !this.#memory.isWritten(block.id);
    if (isLate && block.status === 'running') return; // its end will be its only line: lines of begins must be in the order of seq
    this.#memory.setWritten(block.id);
    detach('BlockLog', this.#lines.append(block));
    if (block.status !== 'running') detach('BlockLog', this.#lines.sync());
  }

  /** Resolves when every block is on disk. */
  close(): Promise<void> {
    return this.#lines.close(); // syncs at once: `sync` could wait for a second
  }
}
