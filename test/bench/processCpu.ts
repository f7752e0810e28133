import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** bash prints times in milliseconds; time(1) rounds to 10 ms. */
const TIMED = `TIMEFORMAT='%3R %3U %3S'; time "$@" < /dev/null > /dev/null 2>&1`;

export interface ProcessTimes {
  /** Milliseconds from the start to the end. */
  readonly ms: number;
  /** CPU milliseconds (user and system) of the process and all its children. */
  readonly cpuMs: number;
}

/** Times of `argv` as a whole process, with its output discarded. Rejects when the command fails. */
export async function processTimes(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProcessTimes> {
  const { stderr } = await run('bash', ['-c', TIMED, 'bash', ...argv], { env: { ...process.env, ...env } });
  const [, real, user, kernel] = /(\d+\.\d+) (\d+\.\d+) (\d+\.\d+)\s*$/.exec(stderr) ?? [];
  if (real === undefined || user === undefined || kernel === undefined)
    throw new Error(`no times from ${argv.join(' ')}: ${stderr}`);
  return { ms: Math.round(Number(real) * 1000), cpuMs: Math.round((Number(user) + Number(kernel)) * 1000) };
}

/** Only the CPU time, which other work on the machine changes less. */
export async function processCpu(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return (await processTimes(argv, env)).cpuMs;
}
