import { BlockText } from '../../blocks/BlockText.ts';
import type { IndexEntry } from '../../blocks/lineIndex.ts';
import type { Block } from '../../contract/block.ts';
import { ImageSlicer } from '../../shared/images/ImageSlicer.ts';
import { BlockFiles, type BlockFilesOptions } from '../../store/record/BlockFiles.ts';
import type { SessionFolder } from '../../store/record/SessionFolder.ts';

/** The running block's text on its way to disk. An ephemeral block, or one that may turn out to be, is only counted. */
export class OpenBlock {
  readonly id: string;
  readonly #text: BlockText;
  #files: BlockFiles | null;
  /** Kept in memory for the running block, so that a window far down needs no reading from the start. */
  readonly index: IndexEntry[] = [];
  readonly #slicer = new ImageSlicer();

  constructor(block: Block, folder: SessionFolder, options: BlockFilesOptions) {
    this.id = block.id;
    this.#text = new BlockText(block.rawStart, block.cols);
    this.#files = block.ephemeral ? null : BlockFiles.open(folder, block.id, options);
  }

  /** Nothing was written although the block is to be kept: its files must be made from raw. */
  get isUnwritten(): boolean {
    return this.#files === null;
  }

  get lines(): number {
    return this.#text.lines;
  }

  /** Something in it may be an image, whose lines are known from the screen only. */
  get mayHaveImages(): boolean {
    return this.#slicer.found > 0;
  }

  append(bytes: Uint8Array): void {
    if (!this.mayHaveImages) this.#slicer.cut(bytes, 0);
    this.#keep(this.#text.feed(bytes));
  }

  async end(): Promise<void> {
    this.#keep(this.#text.end());
    await this.#files?.close();
    this.#files = null;
  }

  #keep({ text, index }: { text: Uint8Array; index: IndexEntry[] }): void {
    this.#files?.appendText(text);
    this.#files?.appendIndex(index);
    this.index.push(...index);
  }
}
