import { execFile } from 'node:child_process';

export type Env = Readonly<Record<string, string | undefined>>;

export interface GitCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input?: Uint8Array;
  readonly limitMs: number;
  /** Longer output is a fault. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** `missing`: no git on the PATH. `slow`: it was killed at the limit. `long`: it printed more than `maxBytes`. */
export class GitFault extends Error {
  readonly why: 'missing' | 'slow' | 'long' | 'failed';

  constructor(why: GitFault['why'], message: string) {
    super(message);
    this.why = why;
  }
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_WORDS = 300;

/** Runs git without a shell, and resolves to its output. Rejects with a `GitFault`. */
export function runGit({ args, env, cwd, input, limitMs, maxBytes = MAX_BYTES, signal }: GitCall): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...args],
      {
        ...{ cwd, env, maxBuffer: maxBytes, timeout: limitMs, killSignal: 'SIGKILL', windowsHide: true, signal },
        encoding: 'buffer',
      },
      (error, stdout, stderr) => (error ? reject(faultOf(error, stderr)) : resolve(stdout)),
    );
    child.stdin?.on('error', () => undefined); // git ended before it read all input, and its own fault says why
    child.stdin?.end(input);
  });
}

function faultOf(error: Error & { code?: unknown; killed?: boolean }, stderr: Buffer): GitFault {
  if (error.code === 'ENOENT') return new GitFault('missing', 'git was not found');
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return new GitFault('long', 'git printed too much');
  if (error.killed) return new GitFault('slow', 'git did not finish in time');
  const [line = ''] = stderr.toString().trim().split('\n').slice(-1);
  return new GitFault('failed', (line || error.message).slice(0, MAX_WORDS));
}
