import { constants, readSync, renameSync, writeSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NOFOLLOW } from '../files/Disk.ts';
import type { RecordSource } from '../files/openRecordFile.ts';
import { openIfThere, readPiece } from '../files/readPiece.ts';
import { temporaryName } from '../files/sweepTemporaries.ts';
import { linesFrom, parseDelta, readStart } from './readScreenFile.ts';

const PRIVATE_FILE = 0o600;
const PIECE_BYTES = 1024 * 1024;

/** A shorter screen.jsonl, made beside the long one, that is not in place yet. */
export interface ScreenRoll {
  /** Copies the lines appended meanwhile and replaces the file, in one turn. Throws errors of the disk; nothing has changed then. */
  finish(): void;
  /** Closes open files; removes the copy unless it is in place. Never rejects. */
  close(): Promise<void>;
}

/**
 * Copies at most the newest `keepBytes` of a screen.jsonl, from a keyframe on, while it is still written. Null if they contain
 * no keyframe. Rejects with errors of the disk. The caller stops writing between `finish` and opening the new file.
 */
export async function prepareRoll(path: string, keepBytes: number): Promise<ScreenRoll | null> {
  const source = await openIfThere(path);
  if (!source) return null;
  const roll = new Roll(path, source);
  try {
    if (await roll.copy(keepBytes)) return roll;
  } catch (thrown) {
    await roll.close();
    throw thrown;
  }
  await roll.close();
  return null;
}

class Roll implements ScreenRoll {
  readonly #path: string;
  readonly #temporary: string;
  readonly #source: FileHandle;
  #copy: FileHandle | null = null;
  /** How far the source is copied. */
  #copied = 0;
  #isInPlace = false;

  constructor(path: string, source: FileHandle) {
    this.#path = path;
    this.#source = source;
    this.#temporary = temporaryName(join(dirname(path), `.${basename(path)}`));
  }

  async copy(keepBytes: number): Promise<boolean> {
    const source = { read: (position: number, length: number) => readPiece(this.#source, position, length) };
    const start = await readStart(source);
    const { size } = await this.#source.stat();
    const from = await firstKeyframe(source, Math.max(start.offset, size - keepBytes));
    if (from === null || from === start.offset) return false;
    this.#copy = await open(
      this.#temporary,
      constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NOFOLLOW,
      PRIVATE_FILE,
    );
    await this.#copy.writeFile(`${JSON.stringify({ screen_file: 1, base: start.base + from - start.offset })}\n`);
    this.#copied = from;
    for (;;) {
      const piece = await readPiece(this.#source, this.#copied, Math.min(PIECE_BYTES, size - this.#copied));
      if (piece.length === 0) break;
      await this.#copy.writeFile(piece);
      this.#copied += piece.length;
    }
    await this.#copy.datasync(); // otherwise a power cut after the rename could leave neither the old nor the new file
    return true;
  }

  finish(): void {
    if (!this.#copy) throw new Error(`nothing was copied of ${this.#path}`);
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      const length = readSync(this.#source.fd, piece, 0, piece.length, this.#copied);
      if (length === 0) break;
      let written = 0;
      while (written < length) written += writeSync(this.#copy.fd, piece, written, length - written);
      this.#copied += length;
    }
    renameSync(this.#temporary, this.#path);
    this.#isInPlace = true;
  }

  async close(): Promise<void> {
    await this.#source.close().catch(() => undefined); // was only read
    const copy = this.#copy;
    this.#copy = null;
    await copy?.close().catch(() => undefined); // writes and the sync have reported any error
    if (copy && !this.#isInPlace) await unlink(this.#temporary).catch(() => undefined); // removed at the next start
  }
}

/** Finds the offset of the first keyframe at or after `near`. */
async function firstKeyframe(file: Pick<RecordSource, 'read'>, near: number): Promise<number | null> {
  // Starts one byte earlier, so that a line that begins at `near` is not skipped; the first piece is the rest of some line.
  let isWhole = near === 0;
  for await (const { line, at } of linesFrom(file, Math.max(0, near - 1))) {
    if (isWhole && line !== null && parseDelta(line)?.keyframe) return at;
    isWhole = true;
  }
  return null;
}
