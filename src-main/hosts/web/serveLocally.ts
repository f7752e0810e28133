import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HostControl } from '../../api/trpc.ts';
import { MACHINE_PROTOCOL } from '../../contract/machines.ts';
import type { PtyChatClient } from '../../core/PtyChatClient.ts';
import { isInPlace } from '../../store/files/folderIdentity.ts';
import { replaceFile } from '../../store/files/replaceFile.ts';
import { writeWhenRoom } from '../../store/files/writeWhenRoom.ts';
import { isListenedAt, listenPrivately, socketPath } from '../../store/instance/privateSocket.ts';
import { systemClock } from '../../util/Clock.ts';
import { type IDisposable, toDisposable } from '../../util/Disposables.ts';
import type { CoreAddress } from './coreAddress.ts';
import type { Keys } from './Keys.ts';
import { WebHost } from './WebHost.ts';

const SOCKET = 'core.sock';

export interface LocalService {
  core: PtyChatClient;
  dataFolder: string;
  keys: Keys;
  /** The control of the whole process; this socket's own connections are added to its count. */
  control: HostControl;
}

/**
 * The socket for the command line, the same under both fronts: a Unix socket that only this user can reach (on Windows a named pipe with a random
 * name), which also requires the token. core.json contains its path; on a full disk it is written as soon as there is room. Rejects if the socket or
 * the file cannot be created. The caller disposes it, which removes both.
 */
export async function serveLocally({ core, dataFolder, keys, control }: LocalService): Promise<IDisposable> {
  const counted: HostControl = {
    ...control,
    status: () => {
      const status = control.status();
      return { ...status, connections: status.connections + host.connections };
    },
  };
  const path = socketPath(dataFolder, SOCKET);
  const host = new WebHost({ core, keys, frontend: 'cli', files: null, control: counted });
  const addressFile = join(dataFolder, 'core.json');
  let writing: IDisposable;
  try {
    await listenPrivately(path, () => host.listen({ path }));
    const address: CoreAddress = {
      ...{ version: 1, pid: process.pid, socketPath: path, token: keys.token },
      ...{ machineProtocol: MACHINE_PROTOCOL, appVersion: core.info.version },
    };
    writing = await writeWhenRoom(systemClock, () =>
      replaceFile(addressFile, `${JSON.stringify(address)}\n`, { fsync: false }),
    );
  } catch (error) {
    host.dispose();
    throw error;
  }
  return toDisposable(() => {
    writing.dispose();
    if (!isInPlace(dataFolder)) return; // the files at these paths belong to another core; ours end with the process
    host.dispose();
    rmSync(addressFile, { force: true });
  });
}

/**
 * The socket of `dataFolder` that a process listens on, or null. If we have the lock, that process is a core whose lock was removed and which still
 * writes this record.
 */
export async function otherListener(dataFolder: string): Promise<string | null> {
  const path = socketPath(dataFolder, SOCKET);
  return (await isListenedAt(path)) ? path : null;
}
