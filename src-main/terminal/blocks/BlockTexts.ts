import type { Block } from '../../contract/block.ts';
import { removeFiles } from '../../store/record/BlockFiles.ts';
import { SerialQueue } from '../../util/SerialQueue.ts';
import { detach } from '../../util/strayErrors.ts';
import type { BookDeps } from '../TerminalDeps.ts';
import type { TerminalRecord } from '../TerminalRecord.ts';
import { type Derived, deriveText, renderText } from './deriveFiles.ts';

/** Longest time for which an end waits for rendering: the block already has its plain text. */
const LAST_DERIVE_MS = 2_000;

/** The owner of the texts of ended blocks. */
export interface TextsOf {
  readonly record: TerminalRecord;
  readonly deps: BookDeps;
  /** Called when that block's files exist, with facts about them. Not called after the blocks were closed. */
  derived(block: Block, derived: Derived): void;
}

/** Derives what requires all bytes of a block: the rendered screen, or files that were held back. One block at a time. */
export class BlockTexts {
  readonly #of: TextsOf;
  readonly #queue = new SerialQueue();
  /** Ended blocks whose files the disk has refused, by id. */
  readonly #refused = new Map<string, Block>();
  #isClosed = false;
  /** Returns the screen's row at which the output from `rawStart` began; set by the terminal, which has the screen. */
  beginRowOf: (rawStart: number) => Promise<number> = async () => 0;

  constructor(of: TextsOf) {
    this.#of = of;
    of.record.onFault((fault) => {
      if (fault === null) detach('BlockTexts', this.repair([...this.#refused.values()]));
    });
  }

  /** True if the block has ended, and the disk has refused its text or its rendered screen so far. */
  isRefused(id: string): boolean {
    return this.#refused.has(id);
  }

  /** Derives the text of these blocks from raw again, after a crash or a full disk has lost a part of it. */
  async repair(blocks: readonly Block[]): Promise<void> {
    for (const block of blocks) await this.#queue.run(() => this.#derive(block, { isWhole: false, isNeeded: true }));
  }

  /** `written` settles when the text of the running block is in its files, to false if the disk has refused a part. */
  ended(block: Block, { written, needsFiles }: { written: Promise<boolean>; needsFiles: boolean }): Promise<void> {
    return this.#queue.run(async () => {
      const isWritten = await written;
      const isWhole = isWritten && !needsFiles;
      await this.#derive(block, { isWhole, isNeeded: !isWhole || this.#of.record.isRefused });
      for (const one of this.#of.record.fault === null ? this.#refused.values() : [])
        await this.#derive(one, { isWhole: true, isNeeded: true });
      this.#of.record.forgetSizes(block.rawEnd ?? 0); // blocks are rendered in order
    });
  }

  /** Resolves when every ended block has its text, however long rendering takes. */
  settled(): Promise<void> {
    return this.#queue.idle();
  }

  /** Waits for the texts of ended blocks, but not for long, and stops reporting derived files. */
  async close(): Promise<void> {
    await Promise.race([
      this.settled(),
      new Promise((resolve) => this.#of.deps.clock.after(LAST_DERIVE_MS, () => resolve(null))),
    ]);
    this.#isClosed = true;
  }

  /** `isWhole`: the text that is on disk is kept if no other can be made; a part of a text is removed, so that no reader takes it for the whole. */
  async #derive(block: Block, { isWhole, isNeeded }: { isWhole: boolean; isNeeded: boolean }): Promise<void> {
    if (block.ephemeral) return;
    const isRendered = block.addressed || block.usedAltScreen;
    if (!isRendered && !isNeeded) return;
    const { record, deps } = this.#of;
    try {
      const startRow = await this.beginRowOf(block.rawStart);
      const derived = await (isRendered ? renderText : deriveText)(block, startRow, { record, deps });
      this.#refused.delete(block.id);
      if (!this.#isClosed) this.#of.derived(block, derived);
    } catch (error) {
      if (isNeeded) this.#refused.set(block.id, block);
      if (!isWhole) removeFiles(record.folder, block.id);
      deps.log('block_text_failed', {
        blockId: block.id,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
}
