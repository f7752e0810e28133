import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createConnection, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { isInPlace } from '../files/folderIdentity.ts';
import { ensurePrivateFolder } from './dataFolder.ts';

/** Linux silently cuts a socket's path at 107 bytes, macOS at 103. */
const MAX_SOCKET_PATH_BYTES = 100;

/**
 * Path of the socket `name` of a data folder: in its `run` folder, or, if that path is too long for a socket, in a private folder among
 * the runtime files. That folder is always the same for one data folder, so that the leftovers of a killed core are found and replaced. On
 * Windows it is a pipe with a random name, which is no secret because the system lets every user list pipes.
 */
export function socketPath(dataFolder: string, name: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\hansard-${crypto().randomBytes(8).toString('hex')}`;
  const own = join(dataFolder, 'run', name);
  if (fits(own)) return own;
  const digest = crypto().createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  return join(process.env.XDG_RUNTIME_DIR ?? '/tmp', `hansard-${process.getuid?.() ?? 0}-${digest}`, name);
}

/** Bytes that ssh appends to the path of a control socket, and those of our names in that folder. */
const SHORT_NAME_BYTES = 40;

/** A private folder for sockets that another program names: `run` of the data folder, or one with a shorter path among the runtime files. */
export function shortFolder(dataFolder: string): string {
  return dirname(socketPath(dataFolder, 'x'.repeat(SHORT_NAME_BYTES)));
}

/** Calls `listen` to open a socket at `path` that only this user can reach. Rejects if another process listens there or the system refuses. */
export async function listenPrivately(path: string, listen: () => Promise<unknown>): Promise<void> {
  if (process.platform === 'win32') {
    await listen();
    return;
  }
  if (!fits(path)) throw new Error(`${path} is too long for a socket; choose a shorter HANSARD_HOME`);
  ensurePrivateFolder(dirname(path));
  await removeDeadSocket(path);
  const umask = process.umask(0o077);
  try {
    await listen();
  } finally {
    process.umask(umask);
  }
  chmodSync(path, 0o600);
  const made = lstatSync(path);
  const isOurs = made.isSocket() && made.uid === process.getuid?.() && (made.mode & 0o777) === 0o600;
  if (!isOurs) throw new Error(`${path} is not the socket that was made there; somebody else writes in this folder`);
}

/** Closes `server`. Closing removes its path. After the folder was moved, the path may be another core's; then the server stays open. */
export function closePrivately(server: Server, path: string): void {
  if (isInPlace(path)) server.close();
  else server.unref();
}

/** Whether a process listens at `path`. Always false for a Windows pipe: other processes cannot know its name. */
export async function isListenedAt(path: string): Promise<boolean> {
  const isThere = process.platform !== 'win32' && lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;
  return isThere && (await isAnswered(path));
}

/** Removes only a socket that does not answer, never another kind of file. */
async function removeDeadSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket()) throw new Error(`${path} exists but is not a socket. Remove it.`);
  if (await isAnswered(path)) throw new Error(`${path} is in use by another process`);
  rmSync(path);
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(path, () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => resolve(false));
  });
}

/** Loads crypto on first use: loading takes a sixth of the time in which an empty Node starts, and the command line imports this file. */
function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;
}
