import { existsSync } from 'node:fs';
import type { Notice } from '../contract/notice.ts';
import { spawnNodePty } from '../pty/NodePty.ts';
import { launchHost } from '../ptyHost/client/launchHost.ts';
import { PtyHostClient } from '../ptyHost/client/PtyHostClient.ts';
import { HOST_SOCKET } from '../ptyHost/protocol/messages.ts';
import { isListenedAt, socketPath } from '../store/instance/privateSocket.ts';
import { findAppFiles } from './appFiles.ts';

/** `on`: shells run in the PTY host and outlive the core. */
const SWITCH = 'HANSARD_PTY_HOST';

export interface OpenedHost {
  readonly ptyHost: PtyHostClient | undefined;
  /** Why shells run in this process although they were to outlive it. */
  readonly refusal: Omit<Notice, 'atMs'> | null;
}

/**
 * The PTY host of the data folder. One that runs is always used, since it has shells. A new one is started if the person asked for it; the
 * desktop app cannot start one, because its program does not run scripts.
 */
export async function openPtyHost({
  dataFolder,
  env,
}: {
  dataFolder: string;
  env: NodeJS.ProcessEnv;
}): Promise<OpenedHost> {
  if (process.platform === 'win32') return { ptyHost: undefined, refusal: null };
  const path = socketPath(dataFolder, HOST_SOCKET);
  const program = findAppFiles().ptyHost;
  const mayLaunch = env[SWITCH] === 'on' && process.versions.electron === undefined && existsSync(program);
  if (!mayLaunch && !(await isListenedAt(path))) return { ptyHost: undefined, refusal: null };
  const launch = mayLaunch ? () => launchHost({ program, socketPath: path, dataFolder }) : null;
  try {
    return {
      ptyHost: await PtyHostClient.start({ socketPath: path, launch, spawnHere: spawnNodePty }),
      refusal: null,
    };
  } catch (error) {
    return { ptyHost: undefined, refusal: refusalOf(error) };
  }
}

function refusalOf(error: unknown): Omit<Notice, 'atMs'> {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    key: 'pty-host-refused',
    level: 'warning',
    text: `Shells end with Hansard this time: the PTY host could not be used (${reason}).`,
    action: 'See core.log in the data folder, and restart Hansard.',
    terminalId: null,
    cleared: false,
  };
}
