import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { posix, win32 } from 'node:path';
import { asDiskError } from '../files/Disk.ts';
import { requireInPlace } from '../files/folderIdentity.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Where the record lives: `$HANSARD_HOME`, else what the platform has for data of a person's programs. As the XDG rules
 * say, a relative `$XDG_DATA_HOME` counts as none; a relative `$HANSARD_HOME` is meant from `home`, so that the place
 * does not depend on where the program was started.
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
 * Makes `path` a folder that only we can enter, with its parents where they are missing. Throws a sentence for people
 * when something else stands there: a file, a symbolic link, or a folder of another user.
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
    return null; // not there, or behind something that is no folder: making it has said why
  }
}
