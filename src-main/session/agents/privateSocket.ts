import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createConnection, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { ensurePrivateFolder } from '../../store/dataFolder.ts';

/** Linux cuts a socket's path at 107 bytes without a word, macOS at 103. */
const MAX_SOCKET_PATH_BYTES = 100;

/**
 * Where the socket called `name` of a data folder lies: in its `run`, or, where that is too long for a socket, among the runtime
 * files, always at the same place for this data folder. On Windows a pipe with a random name.
 */
export function socketPath(dataFolder: string, name: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\hansard-${randomBytes(8).toString('hex')}`;
  const own = join(dataFolder, 'run', name);
  if (Buffer.byteLength(own) <= MAX_SOCKET_PATH_BYTES) return own;
  const digest = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  return join(process.env.XDG_RUNTIME_DIR ?? '/tmp', `hansard-${process.getuid?.() ?? 0}-${digest}`, name);
}

/** Listens where only this user can come. Rejects when somebody else is there, or the system refuses. */
export async function listenPrivately(server: Server, path: string): Promise<void> {
  if (process.platform === 'win32') return listen(server, path);
  ensurePrivateFolder(dirname(path));
  await removeDeadSocket(path);
  const umask = process.umask(0o077);
  try {
    await listen(server, path);
  } finally {
    process.umask(umask);
  }
  chmodSync(path, 0o600);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Only a socket that nobody answers is removed, never a file that somebody else put there. */
async function removeDeadSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket()) throw new Error(`${path} is in the way: it is no socket. Remove it.`);
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
