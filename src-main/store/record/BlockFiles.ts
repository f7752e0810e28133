import { existsSync, renameSync, rmSync } from 'node:fs';
import type { BlockId } from '../../contract/ids.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';
import { AppendFile, type AppendFileOptions } from '../files/AppendFile.ts';
import { JsonLines } from '../files/JsonLines.ts';
import { restedPath } from '../files/openRecordFile.ts';
import { temporaryName } from '../files/sweepTemporaries.ts';
import type { IndexHeader, IndexLine } from './indexLines.ts';
import type { SessionFolder } from './SessionFolder.ts';

export type BlockFilesOptions = Pick<AppendFileOptions, 'log' | 'clock' | 'onFault' | 'disk' | 'makeFolder'>;

type BlockFilesSpec = BlockFilesOptions & {
  /** What the index points into; 'ren' for a block whose text is the rendered screen. */
  readonly source?: IndexHeader['source'];
};

interface FilePaths {
  readonly out: string;
  readonly idx: string;
  readonly ren: string;
}

function pathsOf(folder: SessionFolder, id: BlockId): FilePaths {
  return { out: folder.out(id), idx: folder.idx(id), ren: folder.ren(id) };
}

/**
 * Writer of one block's derived files. Each file is made when it has something to hold: most blocks are a `.out` alone,
 * a block without output has none.
 */
export class BlockFiles implements IDisposable {
  readonly #paths: FilePaths;
  /** Where the files go by `replace`; null when they are written in their places. */
  readonly #places: FilePaths | null;
  readonly #source: IndexHeader['source'];
  readonly #options: BlockFilesOptions;
  #out: AppendFile | null = null;
  #ren: AppendFile | null = null;
  #idx: JsonLines<IndexHeader | IndexLine> | null = null;

  private constructor(paths: FilePaths, places: FilePaths | null, spec: BlockFilesSpec) {
    const { source, ...options } = spec;
    this.#paths = paths;
    this.#places = places;
    this.#source = source ?? 'raw';
    this.#options = options;
  }

  static open(folder: SessionFolder, id: BlockId, spec: BlockFilesSpec): BlockFiles {
    return new BlockFiles(pathsOf(folder, id), null, spec);
  }

  /** Writes under temporary names; `replace` puts the files in the places of those that are there. Until then readers have the old ones. */
  static beside(folder: SessionFolder, id: BlockId, spec: BlockFilesSpec): BlockFiles {
    const places = pathsOf(folder, id);
    const { out, idx, ren } = places;
    const paths = { out: temporaryName(out), idx: temporaryName(idx), ren: temporaryName(ren) };
    return new BlockFiles(paths, places, spec);
  }

  appendText(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#out ??= AppendFile.open(this.#paths.out, this.#options);
    this.#out.append(bytes);
  }

  /** Rendered lines with SGR, for a block with `source` 'ren'. */
  appendRendered(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#ren ??= AppendFile.open(this.#paths.ren, this.#options);
    this.#ren.append(bytes);
  }

  appendIndex(lines: readonly IndexLine[]): void {
    if (lines.length === 0 && this.#source === 'raw') return;
    if (!this.#idx) {
      this.#idx = JsonLines.open<IndexHeader | IndexLine>(this.#paths.idx, this.#options);
      if (this.#idx.size === 0) detach('BlockFiles', this.#idx.append({ version: 1, source: this.#source }));
    }
    for (const line of lines) detach('BlockFiles', this.#idx.append(line));
  }

  /** Resolves when all of it is handed to the disk and the descriptors are closed. */
  async close(): Promise<void> {
    if (this.#source === 'ren') this.appendIndex([]); // the header alone tells readers to take the `.ren`
    await Promise.all([this.#out?.close(), this.#ren?.close(), this.#idx?.close()]);
  }

  /**
   * Closes the files and puts them in their places, one after the other at once; what the block has no longer goes, in either form. The index
   * comes last: it says which of the others is read.
   */
  async replace(): Promise<void> {
    await this.close();
    if (!this.#places) return;
    for (const kind of ['ren', 'out', 'idx'] as const) {
      const place = this.#places[kind];
      rmSync(restedPath(place), { force: true });
      if (existsSync(this.#paths[kind])) renameSync(this.#paths[kind], place);
      else rmSync(place, { force: true });
    }
  }

  /** Closes the files and removes them, where `replace` will not be called. */
  async discard(): Promise<void> {
    await this.close();
    if (this.#places) for (const path of Object.values(this.#paths)) rmSync(path, { force: true });
  }

  dispose(): void {
    detach('BlockFiles', this.close());
  }
}
