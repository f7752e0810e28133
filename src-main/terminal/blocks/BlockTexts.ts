import type { Block } from '../../contract/block.ts';
import { SerialQueue } from '../../util/SerialQueue.ts';
import type { BookDeps } from '../TerminalDeps.ts';
import type { TerminalRecord } from '../TerminalRecord.ts';
import { type Derived, deriveText, renderText } from './deriveFiles.ts';

/** What needs the texts of ended blocks. */
export interface TextsOf {
  readonly record: TerminalRecord;
  readonly deps: BookDeps;
  /** The files of that block are there, with what they say of it. Not called once the blocks are closed. */
  derived(block: Block, derived: Derived): void;
}

/** Makes what is only known of a block once all its bytes are there: the rendered picture, or files that were held back. One block at a time. */
export class BlockTexts {
  readonly #of: TextsOf;
  readonly #queue = new SerialQueue();
  #isClosed = false;
  /** The screen's row in which the output that starts at `rawStart` began; the terminal, which has the screen, sets it. */
  beginRowOf: (rawStart: number) => Promise<number> = async () => 0;

  constructor(of: TextsOf) {
    this.#of = of;
  }

  /** Derives the text of these blocks from raw again, after a crash has lost a part of it. */
  async repair(blocks: readonly Block[]): Promise<void> {
    for (const block of blocks) await this.#queue.run(() => this.#derive(block, true));
  }

  /** `written` settles when the text that came while the block ran is in its files. */
  ended(block: Block, { written, needsFiles }: { written: Promise<unknown>; needsFiles: boolean }): Promise<void> {
    return this.#queue.run(async () => {
      await written.finally(() => this.#derive(block, needsFiles));
      this.#of.record.forgetSizes(block.rawEnd ?? 0); // blocks are shown once more in their order
    });
  }

  /** Resolves when the text of every block that has ended is there, however long its rendering takes. */
  settled(): Promise<void> {
    return this.#queue.idle();
  }

  /** What is derived from now on is not said any more. */
  close(): void {
    this.#isClosed = true;
  }

  async #derive(block: Block, needsFiles: boolean): Promise<void> {
    if (block.ephemeral) return;
    const isRendered = block.addressed || block.usedAltScreen;
    if (!isRendered && !needsFiles) return;
    const { record, deps } = this.#of;
    try {
      const startRow = await this.beginRowOf(block.rawStart);
      const derived = await (isRendered ? renderText : deriveText)(block, startRow, { record, deps });
      if (!this.#isClosed) this.#of.derived(block, derived);
    } catch (error) {
      deps.log('block_text_failed', {
        blockId: block.id,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
}
