import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Only bash tells times in milliseconds; time(1) rounds to ten. */
const TIMED = `TIMEFORMAT='%3U %3S'; time "$@" < /dev/null > /dev/null 2>&1`;

/** Milliseconds of CPU, its own and the kernel's, that `argv` and all its children take until they have ended. Rejects when it fails. */
export async function processCpu(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const { stderr } = await run('bash', ['-c', TIMED, 'bash', ...argv], { env: { ...process.env, ...env } });
  const [, user, kernel] = /(\d+\.\d+) (\d+\.\d+)\s*$/.exec(stderr) ?? [];
  if (user === undefined || kernel === undefined) throw new Error(`no times from ${argv.join(' ')}: ${stderr}`);
  return Math.round((Number(user) + Number(kernel)) * 1000);
}
