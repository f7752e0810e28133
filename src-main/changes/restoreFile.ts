import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, realpath, rename, rm, symlink, unlink } from 'node:fs/promises';
import { splitNul, toBytes } from './pathBytes.ts';
import { DIFF_LIMIT_MS } from './readDiff.ts';
import type { Shadow } from './Shadow.ts';

const LINK = '120000';
const PLAIN = '100644';
const PROGRAM = '100755';
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Why a file was not restored, as the end of a sentence for the person. */
export class RestoreFault extends Error {}

interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** Finds the entry of a path in a snapshot; null if the snapshot has no file there. It searches the list of all entries, because a pathspec is text and the path is bytes. */
export async function entryIn(shadow: Shadow, commit: string, raw: string): Promise<Entry | null> {
  const listed = splitNul(await shadow.read(['ls-tree', '-r', '-z', '--full-tree', commit], DIFF_LIMIT_MS));
  for (const line of listed) {
    const tab = line.indexOf('\t');
    if (line.slice(tab + 1) !== raw) continue;
    const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
    return { mode, id };
  }
  return null;
}

/**
 * Restores the file at `raw` as it is in the snapshot: its bytes and executable bit, or a link with its target. A file that the snapshot does
 * not have is removed. It writes nothing outside of the work tree. Rejects with a `RestoreFault`. Resolves to whether the file was removed.
 */
export async function restoreFile(shadow: Shadow, commit: string, raw: string): Promise<boolean> {
  const entry = await entryIn(shadow, commit, raw);
  const path = await pathWithin(shadow.tree.root, raw, entry !== null);
  const now = path && (await lstat(path).catch(() => null));
  if (now?.isDirectory()) throw new RestoreFault('a folder is in its place');
  if (entry === null) {
    if (path && now) await unlink(path);
    return true;
  }
  if (path === null) throw new RestoreFault('its folder could not be made');
  if (![LINK, PLAIN, PROGRAM].includes(entry.mode)) throw new RestoreFault('it is a submodule');
  const bytes = await shadow.read(['cat-file', 'blob', entry.id], DIFF_LIMIT_MS, MAX_FILE_BYTES);
  const isPlain = now?.isFile() === true;
  await replace(path, { bytes, mode: entry.mode, permissions: isPlain ? now.mode & 0o777 : null });
  return false;
}

/** Returns null if a folder of the path is missing and may not be created. Rejects if one is a link, because the file would be in another place. */
async function pathWithin(root: string, raw: string, mayMake: boolean): Promise<Buffer | null> {
  const parts = raw.split('/');
  const name = parts.pop() ?? '';
  if ([...parts, name].some((part) => part === '' || part === '..' || part === '.' || part.toLowerCase() === '.git'))
    throw new RestoreFault('its path is not valid');
  let folder = Buffer.from(await realpath(root));
  for (const part of parts) {
    folder = Buffer.concat([folder, toBytes(`/${part}`)]);
    const found = await lstat(folder).catch(() => null); // a missing folder is created below
    if (found === null && !mayMake) return null;
    if (found === null) await mkdir(folder);
    else if (!found.isDirectory()) throw new RestoreFault('one of its folders is a file or a link now');
  }
  return Buffer.concat([folder, toBytes(`/${name}`)]);
}

interface Replacement {
  readonly bytes: Buffer;
  readonly mode: string;
  /** The mode of the file that is replaced; null if it is not a plain file. */
  readonly permissions: number | null;
}

async function replace(path: Buffer, { bytes, mode, permissions }: Replacement): Promise<void> {
  const temporary = Buffer.concat([path, Buffer.from(`.hansard-${randomBytes(6).toString('hex')}`)]);
  try {
    if (mode === LINK) await symlink(bytes, temporary);
    else {
      const file = await open(temporary, 'wx', mode === PROGRAM ? 0o777 : 0o666);
      try {
        await file.writeFile(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
      if (permissions !== null) await chmod(temporary, withProgram(permissions, mode === PROGRAM));
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Lets everyone who may read the file also run it. */
function withProgram(permissions: number, isProgram: boolean): number {
  const runs = (permissions & 0o444) >> 2;
  return isProgram ? permissions | runs : permissions & ~0o111;
}
