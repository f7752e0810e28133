import type { Disk } from '../../src-main/store/files/Disk.ts';

export type Fault = 'short' | 'ENOSPC' | 'EIO' | 'EROFS' | 'EFBIG';

/** One file in memory behind the system calls of the record; a test sets the result of each call. */
export class FaultyDisk implements Disk {
  /** The file's bytes. */
  content: Buffer = Buffer.alloc(0);
  /** Called before each write, with its index from 1. 'short' writes one byte less, but at least one byte; an errno fails the write. */
  onWrite: (index: number) => Fault | null = () => null;
  onOpen: () => string | null = () => null;
  onSync: () => string | null = () => null;
  onTruncate: () => string | null = () => null;
  /** Size of the disk in bytes; a write that crosses it is short, the next one fails. */
  capacity = Number.POSITIVE_INFINITY;
  isDeleted = false;
  writes = 0;
  syncs = 0;
  /** The bytes at the last fdatasync that succeeded. */
  durable: Buffer = Buffer.alloc(0);
  openFds = new Set<number>();
  #nextFd = 100;

  open(): number {
    const code = this.onOpen();
    if (code) throw errno(code);
    if (this.isDeleted) {
      this.isDeleted = false;
      this.content = Buffer.alloc(0);
    }
    this.#nextFd += 1;
    this.openFds.add(this.#nextFd);
    return this.#nextFd;
  }

  write(fd: number, bytes: Uint8Array, position: number): number {
    this.#check(fd);
    this.writes += 1;
    const fault = this.onWrite(this.writes);
    if (fault && fault !== 'short') throw errno(fault);
    const room = Math.max(0, this.capacity - position);
    if (room === 0) throw errno('ENOSPC');
    const length = Math.min(room, fault === 'short' ? Math.max(1, bytes.length - 1) : bytes.length);
    if (this.isDeleted) return length;
    if (this.content.length < position + length) {
      this.content = Buffer.concat([this.content, Buffer.alloc(position + length - this.content.length)]);
    }
    this.content.set(bytes.subarray(0, length), position);
    return length;
  }

  read(fd: number, into: Uint8Array, position: number): number {
    this.#check(fd);
    return this.content.copy(into, 0, position);
  }

  truncate(fd: number, size: number): void {
    this.#check(fd);
    const code = this.onTruncate();
    if (code) throw errno(code);
    this.content = Buffer.concat([
      this.content.subarray(0, size),
      Buffer.alloc(Math.max(0, size - this.content.length)),
    ]);
  }

  stat(fd: number): { size: number; links: number } {
    this.#check(fd);
    return { size: this.content.length, links: this.isDeleted ? 0 : 1 };
  }

  async sync(fd: number): Promise<void> {
    this.#check(fd);
    this.syncs += 1;
    const code = this.onSync();
    await Promise.resolve();
    if (code) throw errno(code);
    this.durable = Buffer.from(this.content);
  }

  close(fd: number): void {
    this.#check(fd);
    this.openFds.delete(fd);
  }

  async remove(): Promise<void> {
    this.isDeleted = true;
  }

  #check(fd: number): void {
    if (!this.openFds.has(fd)) throw errno('EBADF');
  }
}

export function errno(code: string): Error {
  return Object.assign(new Error(code), { code });
}
