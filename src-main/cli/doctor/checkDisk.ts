import { statfsSync } from 'node:fs';
import { count, formatBytes } from '../print/formatFigures.ts';
import { type Check, checksOf } from './Check.ts';

const check = checksOf('disk');
const MIB = 1024 * 1024;
/** Enough for a busy day of builds and agents. */
const LITTLE_BYTES = 1024 * MIB;
/** One flood of output could cause a gap in the record. */
const TOO_LITTLE_BYTES = 100 * MIB;
const LITTLE_FILES = 10_000;

/** Free space on the file system of the data folder, in bytes and in files. */
export function checkDisk(folder: string): Check[] {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  return [judgeSpace(bavail * bsize), ...judgeFiles({ files, free: ffree })];
}

/** `freeBytes`: space for a user without privileges. */
export function judgeSpace(freeBytes: number): Check {
  const text = `${formatBytes(freeBytes)} are free for the record`;
  const fix = 'free some space: when the disk is full, terminals go on but what they print is lost to the record';
  if (freeBytes < TOO_LITTLE_BYTES) return check.bad('space', `only ${text}`, fix);
  return freeBytes < LITTLE_BYTES ? check.warn('space', `only ${text}`, fix) : check.ok('space', text);
}

/** File systems without a fixed number of files report 0 of 0. */
function judgeFiles({ files, free }: { files: number; free: number }): Check[] {
  if (files === 0 || free >= LITTLE_FILES) return [];
  return [
    check.warn(
      'files',
      `the file system has room for only ${count(free, 'more file')}`,
      'remove files: each block may need three',
    ),
  ];
}
