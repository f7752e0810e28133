import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../contract/notice.ts';
import { spawnNodePty } from '../pty/NodePty.ts';
import { type HostFiles, launchHost } from '../ptyHost/client/launchHost.ts';
import { PtyHostClient } from '../ptyHost/client/PtyHostClient.ts';
import { renewKey } from '../ptyHost/client/renewKey.ts';
import { keyPath } from '../ptyHost/protocol/messages.ts';
import { findAppFiles } from './appFiles.ts';
import { hostSocketPath, isHostRunning } from './runningHost.ts';

/** `off`: shells run in this process, and end with it. */
const SWITCH = 'HANSARD_PTY_HOST';

export interface OpenedHost {
  readonly ptyHost: PtyHostClient | undefined;
  /** Why shells run in this process although they were to outlive it. */
  readonly refusal: Omit<Notice, 'atMs'> | null;
  /** Why no core may start: a host that runs cannot be used, and its shells may be writing the record. */
  readonly obstacle: string | null;
}

const NO_HOST: OpenedHost = { ptyHost: undefined, refusal: null, obstacle: null };

export interface OpenHostSpec {
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** What a new host runs; null where this program cannot start one. */
  readonly files?: HostFiles | null;
  /** See `HostClientSpec`. */
  readonly answerWithinMs?: number;
}

/** The PTY host of the data folder. One that runs is always used, since it has shells. A new one is started unless the person has turned that off. */
export async function openPtyHost({
  dataFolder,
  env,
  files = findHostFiles(env),
  answerWithinMs,
}: OpenHostSpec): Promise<OpenedHost> {
  if (process.platform === 'win32') return NO_HOST;
  const path = hostSocketPath(dataFolder);
  const mayLaunch = env[SWITCH] !== 'off' && files !== null;
  if (!mayLaunch && !(await isHostRunning(dataFolder))) return NO_HOST;
  const launch = mayLaunch ? () => launchHost({ ...files, socketPath: path, dataFolder }) : null;
  try {
    const key = await renewKey(keyPath(dataFolder));
    const spec = { socketPath: path, key, launch, spawnHere: spawnNodePty, ...(answerWithinMs && { answerWithinMs }) };
    return { ...NO_HOST, ptyHost: await PtyHostClient.start(spec) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (await isHostRunning(dataFolder)) return { ...NO_HOST, obstacle: obstacleOf(dataFolder, reason) };
    return { ...NO_HOST, refusal: refusalOf(reason) };
  }
}

/**
 * The desktop app's Electron runs no scripts: a package brings a Node of its own, with this program beside it (see packBridge.mjs). Null
 * where it has no Node: in a checkout, and in an AppImage, whose files are gone when the app ends.
 */
export function findHostFiles(env: NodeJS.ProcessEnv = process.env): HostFiles | null {
  const { versions, resourcesPath, execPath } = process;
  const bridge = versions.electron === undefined ? null : join(resourcesPath, 'bridge');
  const files = bridge
    ? { node: join(bridge, 'node/bin/node'), program: join(bridge, 'out/main/ptyHost.js') }
    : { node: execPath, program: findAppFiles().ptyHost };
  const isAppImage = bridge !== null && env.APPIMAGE !== undefined;
  return !isAppImage && existsSync(files.node) && existsSync(files.program) ? files : null;
}

function obstacleOf(dataFolder: string, reason: string): string {
  return `the PTY host of ${dataFolder} runs but cannot be used (${reason}), and its shells write the record. End that process (ptyHost.js) first.`;
}

function refusalOf(reason: string): Omit<Notice, 'atMs'> {
  return {
    key: 'pty-host-refused',
    level: 'warning',
    text: `Shells end with Hansard this time: the PTY host could not be used (${reason}).`,
    action: 'See core.log in the data folder, and restart Hansard.',
    terminalId: null,
    cleared: false,
  };
}
