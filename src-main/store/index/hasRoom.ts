import { statfsSync } from 'node:fs';

/** With less free space, the index does not grow: the rest of the disk is for the record (a flood writes 64 MB in a second or two). */
const ROOM_BYTES = 64 * 1024 * 1024;

/** Whether the index may grow on the disk of `dataFolder`. True if the file system does not report its free space. */
export function hasRoom(dataFolder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dataFolder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return true; // a write will report what the disk refuses
  }
}
