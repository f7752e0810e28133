import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** bash prints times in milliseconds; time(1) rounds to 10 ms. */
const TIMED = `TIMEFORMAT='%3U %3S'; time "$@" < /dev/null > /dev/null 2>&1`;

/** CPU milliseconds (user and system) of `argv` and all its children. Rejects when the command fails. */
export async function processCpu(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const { stderr } = await run('bash', ['-c', TIMED, 'bash', ...argv], { env: { ...process.env, ...env } });
  const [, user, kernel] = /(\d+\.\d+) (\d+\.\d+)\s*$/.exec(stderr) ?? [];
  if (user === undefined || kernel === undefined) throw new Error(`no times from ${argv.join(' ')}: ${stderr}`);
  return Math.round((Number(user) + Number(kernel)) * 1000);
}
