import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Notices } from '../../notices/Notices.ts';
import type { Clock } from '../../util/Clock.ts';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;

export interface RestartSpec {
  /** The installed script of the command line. */
  readonly cli: string;
  readonly dataFolder: string;
  readonly notices: Pick<Notices, 'raise'>;
  readonly clock: Clock;
}

/**
 * Returns a function that runs `hansard serve restart` of the installed program, which ends this process and starts the next one. It resolves when
 * that runs; if it fails before it has ended this process, a notice says so. Rejects if it cannot be started. Several windows may call it at once.
 */
export function coreRestart(spec: RestartSpec): () => Promise<void> {
  let running: Promise<void> | null = null;
  const onEnd = (): void => {
    running = null;
  };
  return () => {
    running ??= startRestart(spec, onEnd).catch((error: unknown) => {
      onEnd();
      throw error;
    });
    return running;
  };
}

async function startRestart({ cli, dataFolder, notices, clock }: RestartSpec, onEnd: () => void): Promise<void> {
  const logPath = join(dataFolder, 'core.log');
  const log = openSync(logPath, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  const child = spawn(process.execPath, [cli, 'serve', 'restart'], {
    cwd: homedir(), // as a core in the background
    detached: true, // it must outlive this process
    windowsHide: true,
    stdio: ['ignore', 'ignore', log], // its output is a URL with a one-time code, which does not belong in a log
  });
  closeSync(log);
  child.once('exit', (code, signal) => {
    onEnd();
    if (code === 0) return;
    notices.raise({
      key: 'restart-failed',
      level: 'error',
      text: `Hansard could not be restarted (${signal ?? `exit code ${code}`}). It continues as before.`,
      action: `${logPath} has the reason.`,
      terminalId: null,
      atMs: clock.nowMs(),
    });
  });
  await once(child, 'spawn');
  child.unref();
}
