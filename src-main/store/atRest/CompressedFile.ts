import type { FileHandle } from 'node:fs/promises';
import type { RecordSource } from '../openRecordFile.ts';
import { openIfThere, readPiece } from '../readPiece.ts';
import { FOOTER_BYTES, parseSeekTable, type SeekEntry, seekTableBytes } from './seekTable.ts';
import { decompressFrame } from './zstd.ts';

/** Reads a compressed file at any place; decompresses the frames it touches and keeps the last one. */
export class CompressedFile implements RecordSource {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly frames: readonly SeekEntry[];
  #kept: { at: number; content: Promise<Buffer> } | null = null;

  private constructor(path: string, file: FileHandle, frames: readonly SeekEntry[]) {
    this.#path = path;
    this.#file = file;
    this.frames = frames;
  }

  /** Null when there is no such file. Rejects when it is damaged. */
  static async open(path: string): Promise<CompressedFile | null> {
    const file = await openIfThere(path);
    if (!file) return null;
    try {
      return new CompressedFile(path, file, await readFrames(file, path));
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  async size(): Promise<number> {
    const last = this.frames.at(-1);
    return last ? last.contentAt + last.contentBytes : 0;
  }

  async read(position: number, length: number): Promise<Buffer> {
    const end = Math.min(position + length, await this.size());
    if (end <= position) return Buffer.alloc(0);
    const pieces: Buffer[] = [];
    for (let n = this.#frameAt(position); n < this.frames.length; n += 1) {
      const frame = this.frames[n];
      if (!frame || frame.contentAt >= end) break;
      const content = await this.#content(frame);
      pieces.push(content.subarray(Math.max(0, position - frame.contentAt), end - frame.contentAt));
    }
    return Buffer.concat(pieces); // a copy, also of one piece: the frame stays ours
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
      const what = thrown instanceof Error ? thrown.message : String(thrown);
      throw new Error(`${this.#path} is damaged at byte ${frame.at}: ${what}`, { cause: thrown });
    }
  }
}

async function readFrames(file: FileHandle, path: string): Promise<SeekEntry[]> {
  const { size } = await file.stat();
  const tableBytes = seekTableBytes(await readPiece(file, Math.max(0, size - FOOTER_BYTES), FOOTER_BYTES));
  const table = tableBytes === null ? null : await readPiece(file, Math.max(0, size - tableBytes), tableBytes);
  const frames = table && parseSeekTable(table, size);
  if (!frames) throw new Error(`${path} is damaged: its index cannot be read`);
  return frames;
}
