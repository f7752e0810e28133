import { statfsSync } from 'node:fs';

/** Below this the index does not grow: the last room of a disk is for the record (a flood takes 64 MB in a second or two). */
const ROOM_BYTES = 64 * 1024 * 1024;

/** Whether the index may grow on the disk of `dataFolder`. A file system that does not tell counts as roomy. */
export function hasRoom(dataFolder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dataFolder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return true; // what the disk refuses is told when it is written to
  }
}
