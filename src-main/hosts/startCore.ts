import { randomBytes } from 'node:crypto';
import { homedir, hostname } from 'node:os';
import { PtyChatClient } from '../core/PtyChatClient.ts';
import { spawnNodePty } from '../pty/NodePty.ts';
import type { PtyHostClient } from '../ptyHost/client/PtyHostClient.ts';
import { holdFolder } from '../store/files/folderIdentity.ts';
import { ensurePrivateFolder, resolveDataFolder } from '../store/instance/dataFolder.ts';
import { acquireLock } from '../store/instance/lockFile.ts';
import { systemClock } from '../util/Clock.ts';
import type { Log } from '../util/Log.ts';
import { type AppFiles, findAppFiles } from './appFiles.ts';
import { createFileLog } from './logFile.ts';
import { openPtyHost } from './openPtyHost.ts';
import { ownMachines } from './ownMachines.ts';
import { serveMcp } from './serveMcp.ts';
import { surviveErrors } from './surviveErrors.ts';
import { type Program, readProgram } from './update/readProgram.ts';
import { UpdateWatch } from './update/UpdateWatch.ts';
import { watchFolder } from './watchFolder.ts';
import { otherListener } from './web/serveLocally.ts';

export type StartedCore =
  | OwnCore
  /** Another core owns the data folder. */
  | { ok: false; dataFolder: string; pid: number };

export interface OwnCore {
  readonly ok: true;
  readonly core: PtyChatClient;
  readonly dataFolder: string;
  readonly startedMs: number;
  /** The note that the previous core gave to `remember`, while shells that it started still run, or for half a minute. */
  readonly note: string | null;
  remember(note: string): void;
  /** Whether shells run in the PTY host. False once it is gone. */
  keepsShells(): boolean;
  /** `isLeft`: shells in the PTY host keep running for the next core. */
  stop(how?: { isLeft?: boolean }): Promise<void>;
}

/**
 * Connects one core to this machine. Both fronts start it only here. `mayRestart`: its windows can restart it after an update. Rejects after
 * releasing the lock.
 */
export async function startCore(
  env: NodeJS.ProcessEnv = process.env,
  { mayRestart = false }: { mayRestart?: boolean } = {},
): Promise<StartedCore> {
  const dataFolder = resolveDataFolder(env, process.platform, homedir());
  ensurePrivateFolder(dataFolder);
  const lock = acquireLock(dataFolder);
  if (!lock.ok) return { ok: false, dataFolder, pid: lock.pid };
  const held = holdFolder(dataFolder);
  const startedMs = systemClock.nowMs();
  const log = createFileLog(dataFolder);
  const files = findAppFiles();
  const program = files.isBuilt ? readProgram(files.root) : null;
  const { core, ptyHost } = await startOn({ dataFolder, env, log, files, program }).catch((error: unknown) => {
    held.dispose();
    lock.release();
    throw error;
  });
  const survival = surviveErrors({ log, notices: core.notices, clock: systemClock });
  const mcp = await serveMcp({ core, dataFolder, env, startedMs, log });
  const watch = watchFolder({ core, dataFolder, clock: systemClock, log });
  const keepsShells = (): boolean => ptyHost?.isUp === true;
  const { notices } = core;
  const watched = { ...files, notices, clock: systemClock, log, mayRestart: () => mayRestart && keepsShells() };
  const updates = program && new UpdateWatch({ ...watched, program });
  const stop = async (how: { isLeft?: boolean } = {}): Promise<void> => {
    updates?.dispose();
    watch.dispose();
    mcp.dispose();
    await core.stop(how);
    if (!how.isLeft) ptyHost?.last();
    ptyHost?.dispose();
    survival.dispose();
    held.dispose();
    lock.release();
  };
  const remember = (note: string): void => ptyHost?.remember(note);
  return { ok: true, core, dataFolder, startedMs, keepsShells, note: ptyHost?.note ?? null, remember, stop };
}

interface Start {
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  log: Log;
  files: AppFiles;
  program: Program | null;
}

interface Running {
  core: PtyChatClient;
  ptyHost: PtyHostClient | undefined;
}

/** Another process writes the record whose lock we have: a core whose lock a person removed, or a PTY host that cannot be used. */
export class SecondCoreError extends Error {}

async function startOn({ dataFolder, env, log, files, program }: Start): Promise<Running> {
  // Before this core repairs records or adopts shells that may belong to the other one.
  const other = await otherListener(dataFolder);
  if (other !== null)
    throw new SecondCoreError(`${other} is in use by another process, which has lost its lock. End that one first.`);
  const { ptyHost, refusal, obstacle } = await openPtyHost({ dataFolder, env });
  if (obstacle !== null) throw new SecondCoreError(obstacle);
  const starting = PtyChatClient.start({
    dataFolder,
    files,
    build: program?.id,
    env,
    home: homedir(),
    hostName: hostname(),
    platform: process.platform,
    clock: systemClock,
    log,
    spawnPty: ptyHost?.spawn ?? spawnNodePty,
    ptyHost,
    machines: ownMachines(env),
    randomId: (bytes) => randomBytes(bytes).toString('hex'),
  });
  const core = await starting.catch((error: unknown) => {
    ptyHost?.dispose();
    throw error;
  });
  if (refusal !== null) core.notices.raise({ ...refusal, atMs: systemClock.nowMs() });
  return { core, ptyHost };
}
