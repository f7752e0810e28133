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
  /** File to which the index points; 'ren' for a block whose text is the rendered screen. */
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

/** Removes the text of a block, so that readers find it missing; the record still has its bytes. An error of the disk is ignored. */
export function removeFiles(folder: SessionFolder, id: BlockId): void {
  for (const path of Object.values(pathsOf(folder, id))) {
    try {
      rmSync(path, { force: true });
    } catch {
      // a read-only disk keeps the part
    }
  }
}

/**
 * Writes one block's derived files. Each file is created when it has content: most blocks have only a `.out`,
 * a block without output has no file.
 */
export class BlockFiles implements IDisposable {
  readonly #paths: FilePaths;
  /** Final paths for `replace`; null if the files are written in place. */
  readonly #places: FilePaths | null;
  readonly #source: IndexHeader['source'];
  readonly #options: BlockFilesOptions;
  #out: AppendFile | null = null;
  #ren: AppendFile | null = null;
  #idx: JsonLines<IndexHeader | IndexLine> | null = null;
  #hasGap = false;

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

  /** Writes under temporary names; `replace` moves the files to their final paths. Until then readers see the old files. */
  static beside(folder: SessionFolder, id: BlockId, spec: BlockFilesSpec): BlockFiles {
    const places = pathsOf(folder, id);
    const { out, idx, ren } = places;
    const paths = { out: temporaryName(out), idx: temporaryName(idx), ren: temporaryName(ren) };
    return new BlockFiles(paths, places, spec);
  }

  /** True if the disk has refused a part of the text. */
  get isRefused(): boolean {
    return this.#hasGap || (this.#out?.fault ?? null) !== null || (this.#ren?.fault ?? null) !== null;
  }

  appendText(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#out ??= this.#open(this.#paths.out);
    this.#out.append(bytes);
  }

  /** Appends rendered lines with SGR, for a block with `source` 'ren'. */
  appendRendered(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#ren ??= this.#open(this.#paths.ren);
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

  /** Resolves when everything is handed to the disk and the descriptors are closed; to false if the disk has refused a part of the text. */
  async close(): Promise<boolean> {
    if (this.#source === 'ren') this.appendIndex([]); // the header alone makes readers use the `.ren`
    await Promise.all([this.#out?.close(), this.#ren?.close(), this.#idx?.close()]);
    return !this.#hasGap;
  }

  /**
   * Closes the files and moves them to their final paths in one go; removes files that the block no longer has, in either form. The index
   * comes last, because it says which of the others to read. Rejects if the disk has refused a part; the old files stay then.
   */
  async replace(): Promise<void> {
    if (!(await this.close())) throw new Error('the disk refused a part of the text');
    if (!this.#places) return;
    for (const kind of ['ren', 'out', 'idx'] as const) {
      const place = this.#places[kind];
      rmSync(restedPath(place), { force: true });
      if (existsSync(this.#paths[kind])) renameSync(this.#paths[kind], place);
      else rmSync(place, { force: true });
    }
  }

  /** Closes and removes the files; call it instead of `replace`. */
  async discard(): Promise<void> {
    await this.close();
    if (this.#places) for (const path of Object.values(this.#paths)) rmSync(path, { force: true });
  }

  #open(path: string): AppendFile {
    const file = AppendFile.open(path, this.#options);
    file.onGap(() => {
      this.#hasGap = true;
    });
    return file;
  }

  dispose(): void {
    detach('BlockFiles', this.close());
  }
}
