import { z } from 'zod';
import type { BlockId } from '../contract/ids.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { detach } from '../util/strayErrors.ts';
import { AppendFile, type AppendFileOptions } from './AppendFile.ts';
import { JsonLines } from './JsonLines.ts';
import type { SessionFolder } from './SessionFolder.ts';

/** First line of a `.idx`: where `src` of the entries points to. */
export const IndexHeader = z.object({ version: z.literal(1), source: z.enum(['raw', 'ren']) });
export type IndexHeader = z.infer<typeof IndexHeader>;

/** Where every 1,024th logical line starts. */
export const IndexLine = z.object({
  line: z.number().int().nonnegative(),
  /** Byte offset in the `.out`. */
  out: z.number().int().nonnegative(),
  /** Byte offset in output.raw or the `.ren`, as the header says. */
  src: z.number().int().nonnegative(),
  /** The SGR sequence that restores the look at the line's start; '' for the default. */
  sgr: z.string(),
});
export type IndexLine = z.infer<typeof IndexLine>;

export type BlockFilesOptions = Pick<AppendFileOptions, 'log' | 'clock' | 'onFault' | 'disk' | 'makeFolder'>;

/**
 * Writer of one block's derived files. Each file is made when it has something to hold: most blocks are a `.out` alone,
 * a block without output has none.
 */
export class BlockFiles implements IDisposable {
  readonly #folder: SessionFolder;
  readonly #id: BlockId;
  readonly #source: IndexHeader['source'];
  readonly #options: BlockFilesOptions;
  #out: AppendFile | null = null;
  #ren: AppendFile | null = null;
  #idx: JsonLines<IndexHeader | IndexLine> | null = null;

  private constructor(
    folder: SessionFolder,
    id: BlockId,
    spec: BlockFilesOptions & { source?: IndexHeader['source'] },
  ) {
    const { source, ...options } = spec;
    this.#folder = folder;
    this.#id = id;
    this.#source = source ?? 'raw';
    this.#options = options;
  }

  /** `source` says what the index points into; 'ren' for a block whose text is the rendered screen. */
  static open(
    folder: SessionFolder,
    id: BlockId,
    spec: BlockFilesOptions & { source?: IndexHeader['source'] },
  ): BlockFiles {
    return new BlockFiles(folder, id, spec);
  }

  /** Bytes of text so far. */
  get outBytes(): number {
    return this.#out?.size ?? 0;
  }

  appendText(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#out ??= AppendFile.open(this.#folder.out(this.#id), this.#options);
    this.#out.append(bytes);
  }

  /** Rendered lines with SGR, for a block with `source` 'ren'. */
  appendRendered(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#ren ??= AppendFile.open(this.#folder.ren(this.#id), this.#options);
    this.#ren.append(bytes);
  }

  appendIndex(lines: readonly IndexLine[]): void {
    if (lines.length === 0 && this.#source === 'raw') return;
    if (!this.#idx) {
      this.#idx = JsonLines.open<IndexHeader | IndexLine>(this.#folder.idx(this.#id), this.#options);
      if (this.#idx.size === 0) detach('BlockFiles', this.#idx.append({ version: 1, source: this.#source }));
    }
    for (const line of lines) detach('BlockFiles', this.#idx.append(line));
  }

  /** Resolves when all of it is handed to the disk and the descriptors are closed. */
  async close(): Promise<void> {
    if (this.#source === 'ren') this.appendIndex([]); // the header alone tells readers to take the `.ren`
    await Promise.all([this.#out?.close(), this.#ren?.close(), this.#idx?.close()]);
  }

  dispose(): void {
    detach('BlockFiles', this.close());
  }
}
