import type { FileHandle } from 'node:fs/promises';
import type { RecordSource } from './openRecordFile.ts';
import { DamagedFile } from './readFault.ts';
import { openIfThere, readPiece } from './readPiece.ts';
import { scanFrames } from './scanFrames.ts';
import { FOOTER_BYTES, parseSeekTable, type SeekEntry, seekTableBytes } from './seekTable.ts';
import { decompressFrame, hasZstd } from './zstd.ts';

/**
 * Reads a compressed file at any position; decompresses the frames that it needs and keeps the last one. In a damaged file it reads the
 * frames before a cut, and all frames except the damaged ones.
 */
export class CompressedFile implements RecordSource {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly frames: readonly SeekEntry[];
  /** Why the content ends after the last frame; null if the file is intact. */
  readonly cut: DamagedFile | null;
  #kept: { at: number; content: Promise<Buffer> } | null = null;

  private constructor(path: string, file: FileHandle, { frames, isCut }: Frames) {
    this.#path = path;
    this.#file = file;
    this.frames = frames;
    const end = endOf(frames);
    const words = `is damaged: its index cannot be read, and nothing of the content from byte ${end} on`;
    this.cut = isCut ? new DamagedFile(path, words, { fromByte: end }) : null;
  }

  /** Returns null if the file does not exist. */
  static async open(path: string): Promise<CompressedFile | null> {
    const file = await openIfThere(path);
    if (!file) return null;
    try {
      return new CompressedFile(path, file, await readFrames(file));
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  /** Size of the content in bytes. Rejects for a file that is cut off, whose size is unknown. */
  async size(): Promise<number> {
    if (this.cut) throw this.cut;
    return endOf(this.frames);
  }

  /** Rejects with a DamagedFile when a byte of the range cannot be read; the bytes before its `fromByte` can. */
  async read(position: number, length: number): Promise<Buffer> {
    const known = endOf(this.frames);
    if (this.cut && position + length > known) throw this.cut;
    const end = Math.min(position + length, known);
    if (end <= position) return Buffer.alloc(0);
    const pieces: Buffer[] = [];
    for (let n = this.#frameAt(position); n < this.frames.length; n += 1) {
      const frame = this.frames[n];
      if (!frame || frame.contentAt >= end) break;
      const content = await this.#content(frame);
      pieces.push(content.subarray(Math.max(0, position - frame.contentAt), end - frame.contentAt));
    }
    return Buffer.concat(pieces); // always a copy, even of one piece: the caller must not change the kept frame
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Number of the frame that holds the byte at `position`, which is below the size. */
  #frameAt(position: number): number {
    let low = 0;
    let high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.frames[middle]?.contentAt ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #content(frame: SeekEntry): Promise<Buffer> {
    if (this.#kept?.at === frame.at) return this.#kept.content;
    const content = this.#decompress(frame);
    this.#kept = { at: frame.at, content };
    return content;
  }

  async #decompress(frame: SeekEntry): Promise<Buffer> {
    const bytes = await readPiece(this.#file, frame.at, frame.bytes);
    try {
      return await decompressFrame(bytes, frame.contentBytes);
    } catch (thrown) {
      if (!hasZstd) throw thrown;
      const { contentAt, contentBytes } = frame;
      const range = `bytes ${contentAt} to ${contentAt + contentBytes} of the content cannot be read`;
      throw new DamagedFile(this.#path, `is damaged: ${range}`, { fromByte: contentAt, cause: thrown });
    }
  }
}

interface Frames {
  frames: SeekEntry[];
  isCut: boolean;
}

async function readFrames(file: FileHandle): Promise<Frames> {
  const { size } = await file.stat();
  const tableBytes = seekTableBytes(await readPiece(file, Math.max(0, size - FOOTER_BYTES), FOOTER_BYTES));
  const table = tableBytes === null ? null : await readPiece(file, Math.max(0, size - tableBytes), tableBytes);
  const frames = table && parseSeekTable(table, size);
  return frames ? { frames, isCut: false } : { frames: await scanFrames(file), isCut: true };
}

function endOf(frames: readonly SeekEntry[]): number {
  const last = frames.at(-1);
  return last ? last.contentAt + last.contentBytes : 0;
}
