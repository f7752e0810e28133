import { BlockText } from '../../blocks/BlockText.ts';
import type { IndexEntry } from '../../blocks/lineIndex.ts';
import type { Block } from '../../contract/block.ts';
import { ImageSlicer } from '../../shared/images/ImageSlicer.ts';
import { BlockFiles, type BlockFilesOptions } from '../../store/record/BlockFiles.ts';
import type { SessionFolder } from '../../store/record/SessionFolder.ts';

export interface OpenBlockOptions extends BlockFilesOptions {
  /** Index of the text that an earlier core has written: the text continues at its last entry. */
  readonly kept?: readonly IndexEntry[] | undefined;
}

/** Writes the running block's text to disk. Only counts for an ephemeral block, or one that may become ephemeral. */
export class OpenBlock {
  readonly id: string;
  readonly #text: BlockText;
  #files: BlockFiles | null;
  /** Kept in memory for the running block, so that lines far down can be read without starting at the first. */
  readonly index: IndexEntry[] = [];
  /** Bytes to come whose text is already written. */
  #known = 0;
  readonly #slicer = new ImageSlicer();

  constructor(block: Block, folder: SessionFolder, { kept = [], ...options }: OpenBlockOptions) {
    this.id = block.id;
    const last = block.ephemeral ? undefined : kept.at(-1);
    this.#text = last ? BlockText.from(last, block.cols) : new BlockText(block.rawStart, block.cols);
    if (last) {
      this.#known = last.src - block.rawStart;
      this.index.push(...kept);
    }
    this.#files = block.ephemeral ? null : BlockFiles.open(folder, block.id, options);
  }

  /** True if nothing was written: if the block is kept, its files must be made from raw. */
  get isUnwritten(): boolean {
    return this.#files === null;
  }

  /** True if the disk has refused a part of the text so far. */
  get isRefused(): boolean {
    return this.#files?.isRefused ?? false;
  }

  get lines(): number {
    return this.#known > 0 ? 0 : this.#text.lines;
  }

  /** True if it may contain an image, whose lines can only be read from the screen. */
  get mayHaveImages(): boolean {
    return this.#slicer.found > 0;
  }

  append(bytes: Uint8Array): void {
    if (!this.mayHaveImages) this.#slicer.cut(bytes, 0);
    const known = Math.min(this.#known, bytes.length);
    this.#known -= known;
    if (known < bytes.length) this.#keep(this.#text.feed(bytes.subarray(known)));
  }

  /** Resolves when the text is on disk; to false if the disk has refused a part of it. */
  async end(): Promise<boolean> {
    this.#keep(this.#text.end());
    const files = this.#files;
    const isWhole = (await files?.close()) ?? true;
    this.#files = null;
    return isWhole;
  }

  #keep({ text, index }: { text: Uint8Array; index: IndexEntry[] }): void {
    this.#files?.appendText(text);
    this.#files?.appendIndex(index);
    this.index.push(...index);
  }
}
