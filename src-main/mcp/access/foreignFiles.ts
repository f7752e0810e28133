import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';

const MAX_CONFIG_BYTES = 256 * 1024;

/** Whether the path belongs to this user or does not exist. */
export function isOwn(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return !found || process.getuid === undefined || found.uid === process.getuid();
}

/** Null if the file does not exist. Throws for another kind of file or an unusual size, because its effect on a program is unknown. */
export function readText(path: string): string | null {
  if (!statSync(path, { throwIfNoEntry: false })) return null;
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = fstatSync(file);
    if (!fstatSync(file).isFile() || size > MAX_CONFIG_BYTES) throw new Error(`${path} is no usual file`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
