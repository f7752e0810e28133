import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
/** What the host itself needs; a shell gets its environment from the core. */
const ENV_NAMES = ['PATH', 'HOME', 'TMPDIR', 'XDG_RUNTIME_DIR', 'TZ', 'LANG', 'SystemRoot'] as const;

export interface HostLaunch {
  /** What Node runs. */
  readonly program: string;
  readonly socketPath: string;
  readonly dataFolder: string;
}

/** Starts the PTY host in a session of its own, so that neither the end of the core nor of its terminal reaches it. */
export function launchHost({ program, socketPath, dataFolder }: HostLaunch): void {
  const log = openSync(join(dataFolder, 'core.log'), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const env = Object.fromEntries(ENV_NAMES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
    // A small young generation: nothing in the host lives long, and it is to stay small.
    const child = spawn(process.execPath, ['--max-semi-space-size=1', program, socketPath, dataFolder], {
      cwd: '/',
      env,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', log],
    });
    child.on('error', () => undefined); // the connection that does not come says so
    child.unref();
  } finally {
    closeSync(log);
  }
}
