import { closeSync, readSync, statSync } from 'node:fs';
import type { RecordedChunk } from '../../pty/PtyProcess.ts';
import { openRegularNow } from '../../store/files/readPiece.ts';

/** Bytes to read in one turn, as from a PTY of the core, so that other terminals and the viewers get turns in between. */
const MAX_READ_BYTES = 64 * 1024;

/** A range of output.raw that the host has written. */
export interface Stretch {
  readonly from: number;
  readonly end: number;
  readonly nonceAt: readonly number[];
  readonly atMs: number;
  /** Bytes that the disk refused. */
  readonly unwritten?: Uint8Array | undefined;
  /** It begins its own chunk, because its time or size differs from the range before. */
  readonly isApart?: boolean;
  readonly size?: RecordedChunk['size'];
}

/**
 * Reads output.raw as far as the host has reported. Returns each range once and in order, joined with later ones up to
 * 64 KiB. Bytes that cannot be read are zeros, as in a hole of the file.
 */
export class FollowedOutput {
  readonly #path: string;
  #fd: number | null = null;
  #waiting: Stretch[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  get backlogBytes(): number {
    return (this.#waiting.at(-1)?.end ?? 0) - (this.#waiting[0]?.from ?? 0);
  }

  /** 0 if the file is gone or its disk does not answer. */
  fileSize(): number {
    try {
      return statSync(this.#path).size;
    } catch {
      return 0;
    }
  }

  add(stretch: Stretch): void {
    this.#waiting.push(stretch);
  }

  /** The next chunk, or null if there is none. */
  next(): RecordedChunk | null {
    const [first] = this.#waiting;
    if (!first) return null;
    if (first.end - first.from > MAX_READ_BYTES) return this.#cut(first);
    let count = 1;
    let { end } = first;
    for (let next = this.#waiting[1]; next && !first.unwritten; next = this.#waiting[count]) {
      if (next.isApart || next.unwritten || next.end - first.from > MAX_READ_BYTES) break;
      end = next.end;
      count += 1;
    }
    const taken = this.#waiting.splice(0, count);
    const nonceAt = taken.flatMap((one) => [...one.nonceAt]);
    return { ...this.#chunk(first, end), nonceAt };
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
    this.#waiting = [];
  }

  #cut(first: Stretch): RecordedChunk {
    const middle = first.from + MAX_READ_BYTES;
    const { size: _, unwritten, ...rest } = first;
    const behind = unwritten?.subarray(MAX_READ_BYTES);
    this.#waiting[0] = {
      ...rest,
      from: middle,
      nonceAt: first.nonceAt.filter((at) => at >= middle),
      ...(behind && { unwritten: behind }),
    };
    return { ...this.#chunk(first, middle), nonceAt: first.nonceAt.filter((at) => at < middle) };
  }

  #chunk({ from, atMs, size, unwritten }: Stretch, end: number): Omit<RecordedChunk, 'nonceAt'> {
    const bytes = unwritten ? unwritten.slice(0, end - from) : this.#read(from, end - from);
    return { bytes, offset: from, atMs, size };
  }

  #read(from: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    try {
      this.#fd ??= openRegularNow(this.#path);
      let filled = 0;
      for (let count = -1; count !== 0 && filled < length; filled += count)
        count = readSync(this.#fd, bytes, filled, length - filled, from + filled);
    } catch {
      // the file is gone or its disk does not answer: the host reports that as a fault
    }
    return bytes;
  }
}
