import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;
/** Most bytes of one call; the next call reads on. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/** A longer line is skipped: it contains an image, or the file is not a log. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** Larger than the log of any session; later bytes are not read. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/**
 * Reads lines that another program appends to a file, and only new ones. Opens the file for reading and closes it each time; refuses
 * links, devices and files of other users.
 */
export class TailFile {
  readonly path: string;
  #offset = 0;
  #inode = -1;
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Calls `line` for each complete new line. `isAnew`: the file was replaced or truncated, so the lines begin again from its start. Null if
   * it cannot be read.
   */
  async read(line: (text: string) => void): Promise<{ isAnew: boolean } | null> {
    const file = await this.#open();
    if (!file) return null;
    try {
      const stat = await file.stat();
      if (!stat.isFile() || stat.uid !== process.geteuid?.()) return null;
      const isAnew = this.#inode !== -1 && (stat.ino !== this.#inode || stat.size < this.#offset);
      if (isAnew) this.#restart();
      this.#inode = stat.ino;
      await this.#readTo(file, Math.min(stat.size, this.#offset + MAX_READ_BYTES, MAX_FILE_BYTES), line);
      return { isAnew };
    } finally {
      await file.close();
    }
  }

  async #open(): Promise<FileHandle | null> {
    try {
      // NONBLOCK: opening a FIFO of that name must not block
      return await open(this.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return null; // gone, a link, or not readable: there is no log
    }
  }

  #restart(): void {
    this.#offset = 0;
    this.#rest = [];
    this.#restBytes = 0;
  }

  async #readTo(file: FileHandle, end: number, line: (text: string) => void): Promise<void> {
    while (this.#offset < end) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - this.#offset));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, this.#offset);
      if (bytesRead === 0) return;
      this.#offset += bytesRead;
      this.#take(chunk.subarray(0, bytesRead), line);
    }
  }

  #take(chunk: Buffer, line: (text: string) => void): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, at));
      if (this.#restBytes <= MAX_LINE_BYTES) line(Buffer.concat(this.#rest).toString('utf8'));
      this.#rest = [];
      this.#restBytes = 0;
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** Counts the bytes of a line that is too long, and does not keep them. */
  #keep(piece: Buffer): void {
    this.#restBytes += piece.length;
    if (this.#restBytes <= MAX_LINE_BYTES) this.#rest.push(piece);
    else this.#rest = [];
  }
}
