import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findAppFiles } from '../../hosts/appFiles.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { LaunchReport } from './reports.ts';
import type { FrontOptions } from './startFront.ts';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;

type Launched = Extract<LaunchReport, { type: 'ready' }>;

/**
 * Starts a core in a session of its own, with its messages in core.log, and resolves when it serves. It does not depend on our terminal: closing
 * that, or ending this process, does not affect it. Until it serves, it ends with this process.
 * Rejects with a CliError that has its message, or the path of its log.
 */
export async function launchCore(
  dataFolder: string,
  { port, publicUrl }: Pick<FrontOptions, 'port' | 'publicUrl'>,
): Promise<Launched> {
  const logPath = join(dataFolder, 'core.log');
  const log = openSync(logPath, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  const options = ['--port', String(port), ...(publicUrl === undefined ? [] : ['--public-url', publicUrl])];
  const child = spawn(process.execPath, [findAppFiles().cli, 'serve', 'start', '--here', ...options], {
    cwd: homedir(), // the launching shell may be on a disk that the person wants to remove
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  try {
    const report = await reportOf(child, logPath);
    if (report.type === 'failed') throw new CliError(report.message, report.exitCode);
    return report;
  } finally {
    if (child.connected) child.disconnect();
    child.unref();
  }
}

function reportOf(child: ChildProcess, logPath: string): Promise<LaunchReport> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void =>
      reject(new CliError(`the background core ${what}; see ${logPath} for the reason.`, EXIT.unavailable));
    child.once('message', (message) => {
      const report = LaunchReport.safeParse(message);
      if (report.success) resolve(report.data);
      else fail('answered in words that this version does not know');
    });
    child.once('error', ({ message }) => fail(`could not be started (${message})`));
    child.once('exit', (code, signal) => fail(`ended before it served (${signal ?? `exit code ${code}`})`));
  });
}
