import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where PATH, or one of the folders that only root has in it, holds a program; null if nowhere. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Null where Debian's openssh-server is not installed: suites then say skipped. */
export const SSHD = findProgram('sshd');
/** Whether another account can be made here: a second machine with files that this user's processes may not share. */
export const canMakeAccounts = process.getuid?.() === 0 && findProgram('useradd') !== null;
