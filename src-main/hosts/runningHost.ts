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

/** A host that begins to listen, or ends, does so within milliseconds. */
const SETTLED_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 20;

export interface RunningHost {
  /** Null where it could not write which process it is. */
  readonly pid: number | null;
  readonly socketPath: string;
  /** False of a host whose socket was removed: its shells run, and no core can reach it. */
  readonly isListening: boolean;
}

/** The PTY host of this data folder; null when none runs. It may have been left by a core that was killed. */
export async function findHost(dataFolder: string): Promise<RunningHost | null> {
  for (const until = Date.now() + SETTLED_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    const found = await lookForHost(dataFolder);
    if (found === null || found.isListening || Date.now() > until) return found;
  }
}

/** In words for the command line. */
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
  // Its own place first: a data folder that was moved has its socket with it. A long path depends on the session that started the host.
  for (const path of new Set([hostSocketPath(dataFolder), alive?.socketPath ?? '']))
    if (path !== '' && (await isListenedAt(path))) return { pid, socketPath: path, isListening: true };
  return alive && { pid, socketPath: alive.socketPath, isListening: false };
}
