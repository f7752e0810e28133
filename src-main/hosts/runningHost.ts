import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { folderKey, hostFilePath } from '../ptyHost/protocol/hostFile.ts';
import { HOST_SOCKET } from '../ptyHost/protocol/messages.ts';
import { isAlive } from '../store/files/processIdentity.ts';
import { readAsIs } from '../store/files/readAsIs.ts';
import { isListenedAt, socketPath } from '../store/instance/privateSocket.ts';

const HostFile = z.object({
  pid: z.int().check(z.positive()),
  start: z.string(),
  socketPath: z.string(),
  folder: z.string(),
});

/** Longest wait for a host that starts or ends; both take milliseconds. */
const SETTLED_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 20;

export interface RunningHost {
  /** Null if the host could not write its file. */
  readonly pid: number | null;
  readonly socketPath: string;
  /** False if the socket was removed: the shells run, but no core can reach them. */
  readonly isListening: boolean;
}

/** Finds the running PTY host of a data folder, which may have outlived its core. Resolves with null if there is no host. */
export async function findHost(dataFolder: string): Promise<RunningHost | null> {
  for (const until = Date.now() + SETTLED_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    const found = await lookForHost(dataFolder);
    if (found === null || found.isListening || Date.now() > until) return found;
  }
}

/** The host's name in messages. */
export function hostName({ pid }: Pick<RunningHost, 'pid'>): string {
  return pid === null ? 'the PTY host' : `the PTY host (process ${pid})`;
}

export function hostSocketPath(dataFolder: string): string {
  return socketPath(dataFolder, HOST_SOCKET);
}

async function lookForHost(dataFolder: string): Promise<RunningHost | null> {
  const said = await readAsIs(hostFilePath(dataFolder), HostFile);
  const alive = said !== null && said.folder === folderKey(dataFolder) && isAlive(said) ? said : null;
  const pid = alive?.pid ?? null;
  // The folder's own path comes first, because a moved folder takes its socket along. For a long path, the socket's place depends on the session.
  for (const path of new Set([hostSocketPath(dataFolder), alive?.socketPath ?? '']))
    if (path !== '' && (await isListenedAt(path))) return { pid, socketPath: path, isListening: true };
  return alive && { pid, socketPath: alive.socketPath, isListening: false };
}
