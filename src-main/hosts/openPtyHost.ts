import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../contract/notice.ts';
import { spawnNodePty } from '../pty/NodePty.ts';
import { type HostFiles, launchHost } from '../ptyHost/client/launchHost.ts';
import { PtyHostClient } from '../ptyHost/client/PtyHostClient.ts';
import { renewKey } from '../ptyHost/client/renewKey.ts';
import { keyPath } from '../ptyHost/protocol/messages.ts';
import { findAppFiles } from './appFiles.ts';
import { findHost, hostName, hostSocketPath, type RunningHost } from './runningHost.ts';

/** `off`: shells run in this process, and end with it. */
const SWITCH = 'HANSARD_PTY_HOST';

/** Path of the Node that opened the app of a checkout, see `runDesktopApp`. Packages ignore it. */
export const NODE_OF_COMMAND = 'HANSARD_NODE';

export interface OpenedHost {
  readonly ptyHost: PtyHostClient | undefined;
  /** Why shells run in this process although the person wants them to outlive it. */
  readonly refusal: Omit<Notice, 'atMs'> | null;
  /** Why no core may start: a running host cannot be used, and its shells may be writing the record. */
  readonly obstacle: string | null;
}

const NO_HOST: OpenedHost = { ptyHost: undefined, refusal: null, obstacle: null };

export interface OpenHostSpec {
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** The program of a new host; null if this installation cannot start one. */
  readonly files?: HostFiles | null;
  /** See `HostClientSpec`. */
  readonly answerWithinMs?: number;
}

/** Connects to the PTY host of the data folder. Uses a running host in any case, because it has shells; starts one unless the person turned that off. */
export async function openPtyHost({
  dataFolder,
  env,
  files = findHostFiles(env),
  answerWithinMs,
}: OpenHostSpec): Promise<OpenedHost> {
  if (process.platform === 'win32') return NO_HOST;
  const running = await findHost(dataFolder);
  if (running?.isListening === false) return { ...NO_HOST, obstacle: obstacleOf(running, 'its socket is gone') };
  const path = running?.socketPath ?? hostSocketPath(dataFolder);
  const mayLaunch = env[SWITCH] !== 'off' && files !== null;
  if (!mayLaunch && !running) return NO_HOST;
  const launch = mayLaunch ? () => launchHost({ ...files, socketPath: path, dataFolder }) : null;
  try {
    const key = await renewKey(keyPath(dataFolder));
    const spec = { socketPath: path, key, launch, spawnHere: spawnNodePty, ...(answerWithinMs && { answerWithinMs }) };
    return { ...NO_HOST, ptyHost: await PtyHostClient.start(spec) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const left = await findHost(dataFolder);
    if (left) return { ...NO_HOST, obstacle: obstacleOf(left, reason) };
    return { ...NO_HOST, refusal: refusalOf(reason) };
  }
}

/**
 * The desktop app's Electron runs no scripts: a package brings a Node of its own, with this program beside it (see packBridge.mjs), and in
 * a checkout it is the Node of the command that opened the app. Null where there is no Node: in an AppImage, whose files are gone when the
 * app ends.
 */
export function findHostFiles(env: NodeJS.ProcessEnv = process.env): HostFiles | null {
  const { versions, resourcesPath, execPath, defaultApp } = process;
  const isElectron = versions.electron !== undefined;
  const bridge = isElectron && !defaultApp ? join(resourcesPath, 'bridge') : null;
  const files = bridge
    ? { node: join(bridge, 'node/bin/node'), program: join(bridge, 'out/main/ptyHost.js') }
    : { node: isElectron ? (env[NODE_OF_COMMAND] ?? '') : execPath, program: findAppFiles().ptyHost };
  const isAppImage = bridge !== null && env.APPIMAGE !== undefined;
  return !isAppImage && existsSync(files.node) && existsSync(files.program) ? files : null;
}

function obstacleOf(host: RunningHost, reason: string): string {
  const remedy = host.pid === null ? 'End that process (ptyHost.js) first.' : `\`kill -9 ${host.pid}\` ends them both.`;
  return `${hostName(host)} runs but cannot be used (${reason}), and its shells write the record. ${remedy}`;
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
