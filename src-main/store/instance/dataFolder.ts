import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { posix, win32 } from 'node:path';
import { asDiskError } from '../files/Disk.ts';
import { requireInPlace } from '../files/folderIdentity.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The record's folder: `$HANSARD_HOME`, or else the platform's folder for application data. As the XDG specification
 * requires, a relative `$XDG_DATA_HOME` is ignored. A relative `$HANSARD_HOME` resolves against `home`, so that the
 * folder does not depend on the working directory.
 */
export function resolveDataFolder(env: Env, platform: NodeJS.Platform, home: string): string {
  const path = platform === 'win32' ? win32 : posix;
  if (env.HANSARD_HOME) return path.resolve(home, env.HANSARD_HOME);
  if (platform === 'win32') return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'Hansard');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Hansard');
  const data =
    env.XDG_DATA_HOME && path.isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : path.join(home, '.local', 'share');
  return path.join(data, 'hansard');
}

const PRIVATE_FOLDER = 0o700;

/**
 * Creates `path` as a folder that only we can enter, with missing parents. Throws an error with a sentence for people
 * if `path` is a file, a symbolic link or a folder of another user.
 */
export function ensurePrivateFolder(path: string): void {
  requireInPlace(path);
  let refusal: unknown = null;
  try {
    mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (thrown) {
    refusal = thrown;
  }
  const stat = lookAt(path);
  if (stat?.isSymbolicLink()) throw new Error(`${path} is a symbolic link; the record needs a folder of its own`);
  if (stat && !stat.isDirectory()) throw new Error(`${path} is not a folder`);
  if (!stat || refusal)
    throw new Error(`${path} could not be made: ${asDiskError(refusal).reason}`, { cause: refusal });
  const uid = process.geteuid?.();
  if (uid !== undefined && stat.uid !== uid)
    throw new Error(`${path} belongs to another user (uid ${stat.uid}, we are ${uid})`);
  if (process.platform !== 'win32' && (stat.mode & 0o777) !== PRIVATE_FOLDER) chmodSync(path, PRIVATE_FOLDER);
}

function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null; // it does not exist or its parent is not a folder; the error of mkdir has the reason
  }
}
