import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { MAX_COMMANDS_FILE_BYTES } from '../contract/savedCommand.ts';
import { asDiskError, NOFOLLOW } from '../store/files/Disk.ts';
import { findWorkTree } from '../store/record/gitBranch.ts';

const FOLDER = '.hansard';
const FILE = 'commands.json';
/** Deeper folders are no project. */
const MAX_DEPTH = 64;

/** A project's list as it is on disk. `path` has no symbolic link in it; `reason` is a sentence for the person. */
export type ProjectFile =
  | { path: string; sha256: string; bytes: number; text: string }
  | { path: string; reason: string };

/** `.hansard/commands.json` of the nearest folder from `cwd` up to the root of its work tree; null when there is none. Never rejects. */
export async function findProjectFile(cwd: string): Promise<ProjectFile | null> {
  if (!isAbsolute(cwd)) return null;
  const start = await realpath(cwd).catch(() => null); // the folder is gone, or on another machine
  if (start === null) return null;
  const root = (await findWorkTree(start))?.root ?? start;
  let folder = start;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const found = await readProjectFile(join(folder, FOLDER, FILE));
    if (found || folder === root || dirname(folder) === folder) return found;
    folder = dirname(folder);
  }
  return null;
}

/** Null when there is no such file. Links are refused: what they lead to may change with no change of the project. Never rejects. */
export async function readProjectFile(path: string): Promise<ProjectFile | null> {
  try {
    const folder = await lstat(dirname(path));
    if (folder.isSymbolicLink())
      return { path, reason: `${FOLDER} is a symbolic link. Make it a folder of the project.` };
    if (!folder.isDirectory()) return null;
    const found = await lstat(path);
    if (found.isSymbolicLink())
      return { path, reason: `${FILE} is a symbolic link. Put the file itself into ${FOLDER}.` };
    if (!found.isFile()) return { path, reason: `${FILE} is not a regular file.` };
    return await readWhole(path);
  } catch (thrown) {
    const { code, reason } = asDiskError(thrown);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : { path, reason: `${FILE} cannot be read: ${reason}.` };
  }
}

/** Judged, hashed and read as one: the bytes that were hashed are the bytes that are used. */
async function readWhole(path: string): Promise<ProjectFile> {
  await using file = await open(path, constants.O_RDONLY | NOFOLLOW | constants.O_NONBLOCK);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_COMMANDS_FILE_BYTES + 1));
  if (bytesRead > MAX_COMMANDS_FILE_BYTES)
    return { path, reason: `${FILE} is larger than ${MAX_COMMANDS_FILE_BYTES / 1024} KB. Keep fewer commands in it.` };
  const bytes = buffer.subarray(0, bytesRead);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, sha256, bytes: bytesRead, text: bytes.toString('utf8') };
}
