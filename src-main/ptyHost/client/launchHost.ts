import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
/** Variables of the host itself; a shell gets its environment from the core. */
const ENV_NAMES = ['PATH', 'HOME', 'TMPDIR', 'XDG_RUNTIME_DIR', 'TZ', 'LANG', 'SystemRoot'] as const;

/** A Node executable, and the host's program for it. */
export interface HostFiles {
  readonly node: string;
  readonly program: string;
}

export interface HostLaunch extends HostFiles {
  readonly socketPath: string;
  readonly dataFolder: string;
}

/**
 * Starts the PTY host in its own session, so that it survives the end of the core and of its terminal. The promise resolves with
 * the reason if it did not start, or has ended; a core that has reached it ignores the promise.
 */
export function launchHost({ node, program, socketPath, dataFolder }: HostLaunch): Promise<string> {
  const log = openSync(join(dataFolder, 'core.log'), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const env = Object.fromEntries(ENV_NAMES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
    // A small young generation: objects in the host are short-lived, and it should stay small.
    const child = spawn(node, ['--max-semi-space-size=1', program, socketPath, dataFolder], {
      cwd: '/',
      env,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', log],
    });
    child.unref();
    return new Promise((resolve) => {
      child.once('error', ({ message }) => resolve(`it could not be started: ${message}`));
      child.once('exit', (code, signal) => resolve(`it ended at once (${signal ?? `exit code ${code}`})`));
    });
  } finally {
    closeSync(log);
  }
}
