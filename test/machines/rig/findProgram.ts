import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of a program in PATH or in the sbin folders that only root's PATH has; null if there is none. */
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

/** Path of sshd (Debian's openssh-server); null skips the suites. */
export const SSHD = findProgram('sshd');
/** Whether the rig can make another account, for a second machine whose files this user's processes do not share. */
export const canMakeAccounts = process.getuid?.() === 0 && findProgram('useradd') !== null;
