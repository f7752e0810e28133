import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { spawnNodePty } from '../pty/NodePty.ts';
import { PtyChatClient } from '../session/PtyChatClient.ts';
import { ensurePrivateFolder, resolveDataFolder } from '../store/dataFolder.ts';
import { acquireLock } from '../store/lockFile.ts';
import { systemClock } from '../util/Clock.ts';
import { createLog } from '../util/Log.ts';
import { findAppFiles } from './appFiles.ts';

export type StartedCore =
  | { ok: true; core: PtyChatClient; dataFolder: string; stop(): Promise<void> }
  /** Another core owns the data folder. */
  | { ok: false; dataFolder: string; pid: number };

/** Wires one core to this machine. Both fronts start it here and nowhere else. */
export async function startCore(env: NodeJS.ProcessEnv = process.env): Promise<StartedCore> {
  const files = findAppFiles();
  const dataFolder = resolveDataFolder(env, process.platform, homedir());
  ensurePrivateFolder(dataFolder);
  const lock = acquireLock(dataFolder);
  if (!lock.ok) return { ok: false, dataFolder, pid: lock.pid };
  const logPath = join(dataFolder, 'core.log');
  const core = await PtyChatClient.start({
    dataFolder,
    files,
    env,
    home: homedir(),
    hostName: hostname(),
    platform: process.platform,
    clock: systemClock,
    log: createLog((line) => appendLog(logPath, line)),
    spawnPty: spawnNodePty,
    randomId: (bytes) => randomBytes(bytes).toString('hex'),
  });
  const stop = async (): Promise<void> => {
    await core.stop();
    lock.release();
  };
  return { ok: true, core, dataFolder, stop };
}

/** The log is a help, not the record: where it cannot be written (a full disk is the usual reason) it stays silent. */
function appendLog(path: string, line: string): void {
  try {
    appendFileSync(path, line, { mode: 0o600 });
  } catch {
    // said above
  }
}
