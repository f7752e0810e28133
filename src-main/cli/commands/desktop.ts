import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_OF_COMMAND } from '../../hosts/openPtyHost.ts';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;

/** Messages of Chromium, the loader or the system if the app cannot start here, and what a person can do. */
const START_FAILURES: readonly { pattern: RegExp; reason: string }[] = [
  {
    pattern: /Running as root without --no-sandbox/,
    reason: "Chromium's sandbox does not run as root",
  },
  {
    pattern: /No usable sandbox|SUID sandbox helper|namespace sandbox|sandbox_host_linux|setuid_sandbox/i,
    reason:
      "Chromium's sandbox is not available here (allow unprivileged user namespaces, or install the .deb package)",
  },
  {
    pattern:
      /Missing X server|cannot open display|Unable to open X display|Failed to connect to Wayland|platform failed to initialize/i,
    reason: 'no display answers',
  },
  { pattern: /error while loading shared libraries: [^\n]+/, reason: 'a system library is missing' },
];

/** How the app ended. `couldNotStart`: why it cannot run on this machine; null if it ran or failed in another way. */
export interface DesktopEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  couldNotStart: string | null;
  logPath: string;
}

/**
 * Starts the desktop app in a session of its own, with its messages in core.log, and resolves when it has ended. Closing the terminal of this command
 * does not affect the app; Ctrl+C and SIGTERM are passed on, and the app saves its state before it ends.
 */
export async function runDesktopApp(binary: string, args: readonly string[], dataFolder: string): Promise<DesktopEnd> {
  const logPath = join(dataFolder, 'core.log');
  const log = openSync(logPath, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  const { size: from } = fstatSync(log);
  const env = { ...process.env, [NODE_OF_COMMAND]: process.execPath };
  const child = spawn(binary, args, { env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const pass = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  process.on('SIGINT', pass).on('SIGTERM', pass);
  try {
    const { exitCode, signal, error } = await endOf(child);
    const hasFailed = exitCode !== 0;
    const couldNotStart = error ?? (hasFailed ? startFailure(readFileSync(logPath).subarray(from).toString()) : null);
    return { exitCode, signal, couldNotStart, logPath };
  } finally {
    process.off('SIGINT', pass).off('SIGTERM', pass);
  }
}

/** Why the app cannot run here, from its output; null if the output has no known reason. */
export function startFailure(printed: string): string | null {
  for (const { pattern, reason } of START_FAILURES) {
    const [line] = pattern.exec(printed) ?? [];
    if (line !== undefined) return line.startsWith('error while loading') ? line.trim() : reason;
  }
  return null;
}

function endOf(
  child: ChildProcess,
): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null; error: string | null }> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ exitCode: null, signal: null, error: message }));
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal, error: null }));
  });
}
