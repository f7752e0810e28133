import type { Block } from '../../contract/block.ts';
import type { Conversation } from '../../contract/chat/chat.ts';
import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { TerminalMeta } from '../../contract/terminal.ts';
import { recordFileSize } from '../../store/files/openRecordFile.ts';
import { readMetaAsIs, readMetaNow, usedMs } from '../../store/files/readAsIs.ts';
import { DamagedFile, type ReadFault } from '../../store/files/readFault.ts';
import { livingWriter } from '../../store/instance/writerMark.ts';
import { findBlockById } from '../../store/record/findBlock.ts';
import { asEnded, readBlocks } from '../../store/record/readBlocks.ts';
import { type Gap, lossIn, readGaps } from '../../store/record/readGaps.ts';
import { readRawSlice } from '../../store/record/readRecord.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import { blockSeq } from '../../terminal/blocks/blockId.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';

/** A terminal as an outside client may see it. `live` is null for a closed terminal, which is read from its files. */
export interface OutsideTerminal {
  readonly id: string;
  readonly folder: SessionFolder;
  readonly live: PtyInstance | null;
}

export interface OutsideRecordSpec {
  readonly dataFolder: string;
  open(): readonly PtyInstance[];
  /** Whether the person keeps the terminal private. `look` reads its working directory and name on demand. */
  isPrivate(terminalId: string, look: () => { cwd: string | null; name: string | null }): boolean;
}

/** Blocks per page when a terminal's past is read. */
const PAGE_BLOCKS = 200;
const GROWN_EVERY_MS = 20;
const NOTHING = new Uint8Array(0);

/**
 * The terminals that outside clients may read, open or closed. Private terminals do not exist here, nor do blocks kept out of history (`ephemeral`).
 */
export class McpRecord {
  readonly #dataFolder: string;
  readonly #open: () => readonly PtyInstance[];
  readonly #hides: OutsideRecordSpec['isPrivate'];
  readonly #isHiddenClosed = new Map<string, boolean>();

  constructor(spec: OutsideRecordSpec) {
    this.#dataFolder = spec.dataFolder;
    this.#open = spec.open;
    this.#hides = spec.isPrivate;
  }

  /** The open terminals, in the order of the tabs. */
  open(): OutsideTerminal[] {
    return this.#open()
      .filter(({ id }) => !this.#isPrivate(id))
      .map((live) => ({ id: live.id, folder: this.#folder(live.id), live }));
  }

  /** The closed terminals, most recently used first. At most `limit`. */
  async closed(limit: number): Promise<OutsideTerminal[]> {
    const isOpen = new Set(this.#open().map(({ id }) => id));
    const ids = SessionFolder.list(this.#dataFolder).filter((id) => !isOpen.has(id) && !this.#isPrivate(id));
    const used = await Promise.all(ids.map(async (id) => ({ id, usedMs: await usedMs(this.#folder(id)) })));
    return used
      .sort((a, b) => b.usedMs - a.usedMs)
      .slice(0, limit)
      .map(({ id }) => ({ id, folder: this.#folder(id), live: null }));
  }

  /** Throws PTY_NOT_FOUND. */
  terminal(id: string): OutsideTerminal {
    const live = this.#open().find((one) => one.id === id) ?? null;
    const isThere = live !== null || SessionFolder.list(this.#dataFolder).includes(id);
    if (isThere && !this.#isPrivate(id)) return { id, folder: this.#folder(id), live };
    const open = this.open().map((one) => one.id);
    throw new ToolFault(
      'PTY_NOT_FOUND',
      `there is no terminal "${id}" that you may see`,
      open.length === 0 ? 'none is open' : `pty_list names those that are open: ${open.slice(0, 8).join(', ')}`,
    );
  }

  /** Throws PTY_GONE for a closed terminal. */
  liveTerminal(id: string): PtyInstance {
    const { live } = this.terminal(id);
    if (live) return live;
    throw new ToolFault('PTY_GONE', `the terminal "${id}" is closed`, 'what it recorded can still be read');
  }

  /** Whether a known terminal is visible, so not private. */
  isSeen(id: string): boolean {
    return !this.#isPrivate(id);
  }

  /**
   * Whether a conversation is visible: neither its terminal nor the folder in which it ran is private. The terminal may have left that folder since.
   */
  isChatSeen({ terminalId, cwd }: Pick<Conversation, 'terminalId' | 'cwd'>): boolean {
    if (this.#isPrivate(terminalId)) return false;
    return cwd === null || !this.#hides(terminalId, () => ({ cwd, name: null }));
  }

  /** Ids of recorded terminals that are not visible; a reader of all records has to leave them out. */
  unseen(): string[] {
    const open = this.#open().map(({ id }) => id);
    return [...new Set([...open, ...SessionFolder.list(this.#dataFolder)])].filter((id) => this.#isPrivate(id));
  }

  meta({ folder }: OutsideTerminal): Promise<TerminalMeta | null> {
    return readMetaAsIs(folder);
  }

  /** Throws BLOCK_NOT_FOUND. */
  async block(terminalId: string, blockId: string): Promise<Block> {
    const terminal = this.terminal(terminalId);
    const block = terminal.live ? await terminal.live.book.get(blockId) : await findBlock(terminal.folder, blockId);
    if (block && !block.ephemeral) return block;
    throw new ToolFault(
      'BLOCK_NOT_FOUND',
      `there is no block "${blockId}" in the terminal "${terminalId}"`,
      'blocks_since lists blocks with their ids; it may have been removed by the retention that the person has set',
    );
  }

  /** Yields blocks newest first, reading a page at a time. */
  async *newestFirst(terminal: OutsideTerminal): AsyncGenerator<Block> {
    for (let beforeSeq = Number.MAX_SAFE_INTEGER; ; ) {
      const { blocks, more } = await this.#page(terminal, beforeSeq);
      for (const block of blocks.toReversed()) if (!block.ephemeral) yield block;
      beforeSeq = blocks[0]?.seq ?? 0;
      if (!more || beforeSeq <= 1) return;
    }
  }

  /** Flushes output up to now, so that it can be read from disk. */
  flush({ live }: OutsideTerminal): void {
    live?.book.flush();
  }

  /** At most `max` bytes of output.raw from `from`; `gap` is a range of them that could not be written and reads as NUL. */
  async raw(
    terminalId: string,
    from: number,
    max: number,
  ): Promise<{ size: number; bytes: Uint8Array; gap: Gap | null }> {
    const { folder, live } = this.terminal(terminalId);
    live?.book.flush();
    const size = live?.rawSize ?? (await recordFileSize(folder.raw)) ?? 0;
    const bytes = max === 0 ? NOTHING : await readRawSlice(folder, from, Math.min(size, from + max));
    if (bytes.length === 0 && max > 0 && from < size) {
      await live?.book.reader.requireBytes({ rawEnd: null });
      throw new DamagedFile(folder.raw, `ends before byte ${from} of ${size}`);
    }
    return { size, bytes, gap: await this.#gapIn(folder, { from, to: from + bytes.length }) };
  }

  /** The ranges of [from, to) in output.raw that are the shell's prompts and command lines, in order; null without a shell hook. */
  async shellRanges(
    terminalId: string,
    { from, to }: { from: number; to: number },
  ): Promise<[number, number][] | null> {
    const terminal = this.terminal(terminalId);
    const level = terminal.live?.view.quality.level;
    if (level === 'none' || level === 'unknown') return null;
    const ranges: [number, number][] = [];
    let end = to;
    for (let beforeSeq = Number.MAX_SAFE_INTEGER, isNewest = true; ; isNewest = false) {
      const { blocks, more } = await this.#page(terminal, beforeSeq);
      if (isNewest && terminal.live === null && !blocks.at(-1)?.trusted) return null;
      for (const { rawStart, rawEnd } of blocks.toReversed()) {
        const ended = Math.max(from, rawEnd ?? to);
        if (ended < end) ranges.push([ended, end]);
        end = Math.min(end, Math.max(from, rawStart));
      }
      beforeSeq = blocks[0]?.seq ?? 0;
      if (end <= from || !more || beforeSeq <= 1) break;
    }
    if (end > from) ranges.push([from, end]);
    return ranges.reverse();
  }

  /** Resolves when output.raw is larger than `size`, after `waitMs`, or when the call is aborted. */
  grown(terminalId: string, size: number, { waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<void> {
    const { live } = this.terminal(terminalId);
    if (!live || live.rawSize > size || waitMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const look = setInterval(() => live.rawSize > size && done(), GROWN_EVERY_MS);
      const timer = setTimeout(() => done(), waitMs);
      const done = (): void => {
        clearInterval(look);
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #isPrivate(id: string): boolean {
    const view = this.#open().find((one) => one.id === id)?.view;
    if (view) this.#isHiddenClosed.delete(id);
    if (view ? view.isHidden : this.#wasHidden(id)) return true;
    return this.#hides(id, () => {
      if (view) return { cwd: view.cwd, name: view.name };
      const meta = readMetaNow(this.#folder(id));
      return { cwd: meta?.cwd ?? null, name: meta?.name ?? null };
    });
  }

  /** The person can hide or show a terminal only while it is open, so a closed one is read once: a search asks thousands of times. */
  #wasHidden(id: string): boolean {
    let isHidden = this.#isHiddenClosed.get(id);
    if (isHidden === undefined) {
      isHidden = readMetaNow(this.#folder(id))?.hidden === true;
      this.#isHiddenClosed.set(id, isHidden);
    }
    return isHidden;
  }

  /** What of the block's bytes could not be recorded; null for nothing. */
  lossOf({ folder }: OutsideTerminal, { rawStart: from, rawEnd }: Block): Promise<ReadFault | null> {
    return lossIn(folder, { from, to: rawEnd ?? Number.POSITIVE_INFINITY });
  }

  async #gapIn(folder: SessionFolder, { from, to }: { from: number; to: number }): Promise<Gap | null> {
    if (from === to) return null;
    return (await readGaps(folder)).find((one) => one.fromOffset < to && one.toOffset > from) ?? null;
  }

  async #page(
    { folder, live }: OutsideTerminal,
    beforeSeq: number,
  ): Promise<{ blocks: readonly Block[]; more: boolean }> {
    if (live) return live.book.page({ beforeSeq, limit: PAGE_BLOCKS });
    const { blocks, isFirst } = await readBlocks(folder, { beforeSeq, limit: PAGE_BLOCKS });
    const isWritten = livingWriter(folder) !== null;
    return { blocks: isWritten ? blocks : blocks.map(asEnded), more: !isFirst };
  }

  #folder(id: string): SessionFolder {
    return new SessionFolder(this.#dataFolder, id);
  }
}

async function findBlock(folder: SessionFolder, id: string): Promise<Block | null> {
  const seq = blockSeq(id);
  const page = seq === null ? null : await readBlocks(folder, { beforeSeq: seq + 1, limit: 1 });
  const found = page ? (page.blocks.find((block) => block.id === id) ?? null) : await findBlockById(folder, id);
  return found && livingWriter(folder) === null ? asEnded(found) : found;
}
