import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import type { HostControl } from '../../api/trpc.ts';
import type { PtyChatClient } from '../../session/PtyChatClient.ts';
import { ensurePrivateFolder } from '../../store/dataFolder.ts';
import { replaceFile } from '../../store/replaceFile.ts';
import { type IDisposable, toDisposable } from '../../util/Disposables.ts';
import type { CoreAddress } from './coreAddress.ts';
import type { Keys } from './Keys.ts';
import { WebHost } from './WebHost.ts';

/** Linux cuts a socket's path at 107 bytes without a word, macOS at 103. */
const MAX_SOCKET_PATH_BYTES = 100;
const SOCKET = 'core.sock';

export interface LocalService {
  core: PtyChatClient;
  dataFolder: string;
  keys: Keys;
  /** What it answers for of the whole process; the connections it has itself are counted in. */
  control: HostControl;
}

/**
 * The door for the command line, the same under both fronts: a Unix socket that only this user can reach (on Windows a named
 * pipe with a random name), with the token asked on top. core.json tells where it is. Rejects when the socket or the file
 * cannot be made. The caller disposes it, which removes both.
 */
export async function serveLocally({ core, dataFolder, keys, control }: LocalService): Promise<IDisposable> {
  const counted: HostControl = {
    ...control,
    status: () => {
      const status = control.status();
      return { ...status, connections: status.connections + host.connections };
    },
  };
  const host = new WebHost({ core, keys, frontend: 'cli', files: null, control: counted });
  const addressFile = join(dataFolder, 'core.json');
  const socketPath = process.platform === 'win32' ? pipeName() : socketIn(runtimeFolder(dataFolder));
  try {
    await listenAt(host, socketPath);
    const address: CoreAddress = { version: 1, pid: process.pid, socketPath, token: keys.token };
    await replaceFile(addressFile, `${JSON.stringify(address)}\n`);
  } catch (error) {
    host.dispose();
    throw error;
  }
  return toDisposable(() => {
    host.dispose();
    rmSync(addressFile, { force: true });
  });
}

async function listenAt(host: WebHost, path: string): Promise<void> {
  if (process.platform === 'win32') {
    await host.listen({ path });
    return;
  }
  ensurePrivateFolder(dirname(path));
  await removeDeadSocket(path);
  const umask = process.umask(0o077);
  try {
    await host.listen({ path });
  } finally {
    process.umask(umask);
  }
  chmodSync(path, 0o600);
  const made = lstatSync(path);
  const isOurs = made.isSocket() && made.uid === process.getuid?.() && (made.mode & 0o777) === 0o600;
  if (!isOurs) throw new Error(`${path} is not the socket that was made there; somebody else writes in this folder`);
}

function socketIn(folder: string): string {
  const path = join(folder, SOCKET);
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES)
    throw new Error(`${path} is too long for a socket; choose a shorter HANSARD_HOME`);
  return path;
}

/**
 * `run` in the data folder; where that path is too long for a socket, a folder of our own among the runtime files, always the
 * same one for this data folder: what a killed core leaves there is found and replaced.
 */
function runtimeFolder(dataFolder: string): string {
  const own = join(dataFolder, 'run');
  if (Buffer.byteLength(join(own, SOCKET)) <= MAX_SOCKET_PATH_BYTES) return own;
  const runtime = process.env.XDG_RUNTIME_DIR ?? '/tmp';
  const name = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  return join(runtime, `hansard-${process.getuid?.() ?? 0}-${name}`);
}

/** The system lets everyone list pipes, so the name is no secret; the token is. */
function pipeName(): string {
  return `\\\\.\\pipe\\hansard-${randomBytes(8).toString('hex')}`;
}

/** Only a socket that nobody answers is removed, never a file that somebody else put there. */
async function removeDeadSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket()) throw new Error(`${path} is in the way: it is no socket. Remove it.`);
  if (await isAnswered(path)) throw new Error(`${path} is in use by another process`);
  rmSync(path);
}

/**
 * The socket in `dataFolder` that a process listens on, null when there is none. With the lock in our hands it tells of a core
 * whose lock was taken from under it: it still writes this record.
 */
export async function otherListener(dataFolder: string): Promise<string | null> {
  const path = join(runtimeFolder(dataFolder), SOCKET);
  const isThere = process.platform !== 'win32' && lstatSync(path, { throwIfNoEntry: false })?.isSocket();
  return isThere && (await isAnswered(path)) ? path : null;
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
