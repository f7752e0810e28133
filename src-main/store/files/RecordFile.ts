import { detach } from '../../util/strayErrors.ts';
import { asDiskError, DELETED, type Disk, type DiskError, nodeDisk, type WriteResult } from './Disk.ts';

/** A fault of the record. `fromOffset` is the first byte that is not safely on disk. */
export interface RecordFault {
  reason: string;
  fromOffset: number;
}

export interface RecordFileOptions {
  disk?: Disk;
  /** Called if the file's folder does not exist; may throw. Without it, the file waits until the folder exists. */
  makeFolder?: () => void;
}

/**
 * A file that is written at positions its owner chooses. Every failure of the disk is a value; nothing here throws.
 * Owns the descriptor: `open` opens it; it is given up when the file turns out to be deleted, and never closed during an
 * fdatasync, because another file could get its number.
 */
export class RecordFile {
  readonly #path: string;
  readonly #disk: Disk;
  readonly #makeFolder: (() => void) | undefined;
  #fd: number | null = null;
  #syncing: Promise<void> | null = null;

  constructor(path: string, { disk = nodeDisk, makeFolder }: RecordFileOptions) {
    this.#path = path;
    this.#disk = disk;
    this.#makeFolder = makeFolder;
  }

  get isOpen(): boolean {
    return this.#fd !== null;
  }

  /** Opens the file if it is not open. `size` is its current size on disk. */
  open(): { size: number; error: null } | { size: null; error: DiskError } {
    try {
      this.#fd ??= this.#openOrMakeFolder();
      return { size: this.#disk.stat(this.#fd).size, error: null };
    } catch (thrown) {
      return { size: null, error: asDiskError(thrown) };
    }
  }

  #openOrMakeFolder(): number {
    try {
      return this.#disk.open(this.#path);
    } catch (thrown) {
      if (!this.#makeFolder || asDiskError(thrown).code !== 'ENOENT') throw thrown;
      this.#makeFolder();
      return this.#disk.open(this.#path);
    }
  }

  /** Writes all of `bytes` at `position`, repeating short writes. */
  writeAt(bytes: Uint8Array, position: number): WriteResult {
    if (this.#fd === null) return { written: 0, error: DELETED };
    let written = 0;
    try {
      while (written < bytes.length) {
        const rest = written === 0 ? bytes : bytes.subarray(written);
        const count = this.#disk.write(this.#fd, rest, position + written);
        if (count === 0) return { written, error: { code: 'EIO', reason: 'the disk takes no more bytes (0 written)' } };
        written += count;
      }
      return { written, error: null };
    } catch (thrown) {
      return { written, error: asDiskError(thrown) };
    }
  }

  /** Fills `into` from `position`; reads fewer bytes at the end of the file. */
  readAt(into: Uint8Array, position: number): WriteResult {
    if (this.#fd === null) return { written: 0, error: DELETED };
    let filled = 0;
    try {
      while (filled < into.length) {
        const count = this.#disk.read(this.#fd, into.subarray(filled), position + filled);
        if (count === 0) break;
        filled += count;
      }
      return { written: filled, error: null };
    } catch (thrown) {
      return { written: filled, error: asDiskError(thrown) };
    }
  }

  truncate(size: number): DiskError | null {
    if (this.#fd === null) return DELETED;
    try {
      this.#disk.truncate(this.#fd, size);
      return null;
    } catch (thrown) {
      return asDiskError(thrown);
    }
  }

  /** True if the file has no name any more. Gives up the descriptor then, so that `open` creates a new file. */
  giveUpIfDeleted(): boolean {
    if (this.#fd === null) return true;
    try {
      if (this.#disk.stat(this.#fd).links > 0) return false;
    } catch {
      // A descriptor that cannot be examined counts as deleted.
    }
    this.#release();
    return true;
  }

  /** Runs fdatasync. A call during another one waits for it and then runs its own. */
  async sync(): Promise<DiskError | null> {
    while (this.#syncing) await this.#syncing;
    const fd = this.#fd;
    if (fd === null) return DELETED;
    let error: DiskError | null = null;
    this.#syncing = this.#disk.sync(fd).catch((thrown: unknown) => {
      error = asDiskError(thrown);
    });
    await this.#syncing;
    this.#syncing = null;
    return error;
  }

  /** Resolves when the descriptor is closed. The object can be opened again. */
  async close(): Promise<void> {
    const syncing = this.#syncing;
    this.#release();
    await syncing;
  }

  #release(): void {
    const fd = this.#fd;
    this.#fd = null;
    if (fd === null) return;
    if (this.#syncing)
      detach(
        'RecordFile',
        this.#syncing.then(() => this.#closeNow(fd)),
      );
    else this.#closeNow(fd);
  }

  #closeNow(fd: number): void {
    try {
      this.#disk.close(fd);
    } catch {
      // Even if close reports an error (EIO of a network disk), the descriptor is released, and writes and syncs have judged the bytes.
    }
  }
}
