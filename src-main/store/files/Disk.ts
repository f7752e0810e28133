import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { unlink } from 'node:fs/promises';
import { requireInPlace } from './folderIdentity.ts';

/** The system calls that write the record. They are an argument, so that tests can make any of them fail or fall short. */
export interface Disk {
  /** Opens or creates a private regular file for reading and writing. Throws an errno error. */
  open(path: string): number;
  /** May write fewer bytes than asked for. Throws an errno error. */
  write(fd: number, bytes: Uint8Array, position: number): number;
  /** Bytes read into `into`; 0 at the end of the file. */
  read(fd: number, into: Uint8Array, position: number): number;
  truncate(fd: number, size: number): void;
  /** `links` is 0 once the file has been deleted under its descriptor. */
  stat(fd: number): { size: number; links: number };
  /** fdatasync, off the event loop. Rejects with an errno error. */
  sync(fd: number): Promise<void>;
  close(fd: number): void;
  /** Removes a file. Rejects with an errno error. */
  remove(path: string): Promise<void>;
}

/** An expected refusal of the disk: `code` is the errno name, `reason` is a sentence for people. */
export interface DiskError {
  code: string;
  reason: string;
}

/** Result of a write that repeats short writes: `written` bytes are in place; `error` says why the rest is not. */
export interface WriteResult {
  written: number;
  error: DiskError | null;
}

const PRIVATE_FILE = 0o600;
/** Refuses symbolic links; Windows has no such flag. */
export const NOFOLLOW: number = constants.O_NOFOLLOW ?? 0;

export const nodeDisk: Disk = {
  open(path) {
    requireInPlace(path);
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | NOFOLLOW, PRIVATE_FILE);
    const stat = fstatSync(fd);
    if (!stat.isFile()) {
      closeSync(fd);
      throw Object.assign(new Error(`not a regular file: ${path}`), { code: 'EINVAL' });
    }
    if ((stat.mode & 0o077) !== 0 && process.platform !== 'win32') fchmodSync(fd, PRIVATE_FILE);
    return fd;
  },
  write: (fd, bytes, position) => writeSync(fd, bytes, 0, bytes.length, position),
  read: (fd, into, position) => readSync(fd, into, 0, into.length, position),
  truncate: (fd, size) => ftruncateSync(fd, size),
  stat(fd) {
    const { size, nlink } = fstatSync(fd);
    return { size, links: nlink };
  },
  sync: (fd) => new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve()))),
  close: (fd) => closeSync(fd),
  remove: (path) => unlink(path),
};

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reports an input/output error',
  EROFS: 'the disk is read-only',
  EFBIG: 'the file has reached the size limit of this system or process',
  ENOENT: 'the folder of the record is gone',
  ENOTDIR: 'the folder of the record is gone',
  EACCES: 'writing to the record is not permitted',
  EPERM: 'writing to the record is not permitted',
  ELOOP: 'a symbolic link stands where the record should be',
  ESTALE: 'the data folder was moved away while Hansard runs',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

/** Converts any thrown value to an error of the disk; without an errno it keeps the message. */
export function asDiskError(thrown: unknown): DiskError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
  return { code, reason: `${WORDS[code] ?? error.message} (${code})` };
}

/** Whether the disk, or this user's quota, is full: a later write may succeed. */
export function isNoRoom(thrown: unknown): boolean {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return ['ENOSPC', 'EDQUOT'].includes(asDiskError(cause).code);
}

/** The file was deleted during writing; its descriptor still accepts bytes that no reader can reach. */
export const DELETED: DiskError = { code: 'ENOENT', reason: `${WORDS.ENOENT} (ENOENT)` };
