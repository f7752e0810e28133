import { type FileHandle, rename, unlink } from 'node:fs/promises';
import { syncFolder } from '../files/replaceFile.ts';

/** The system calls that archive or restore a file. They are an argument, so that tests can make any of them fail. */
export interface RestDisk {
  /** Writes all of `bytes` at the file's end. */
  write(file: FileHandle, bytes: Uint8Array): Promise<void>;
  sync(file: FileHandle): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export const nodeRestDisk: RestDisk = {
  write: (file, bytes) => file.writeFile(bytes),
  sync: (file) => file.datasync(),
  rename,
  syncFolder,
  remove: unlink,
};
