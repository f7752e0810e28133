import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { Duplex, type Readable } from 'node:stream';
import type { StdioHello } from '../../contract/machines.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { explainEnd, type SshEnd } from './explainEnd.ts';
import { readHello } from './readHello.ts';

/** Kept length of ssh's output, at its end: an error comes last. */
const MAX_STDERR_CHARS = 8 * 1024;
/** Timeout for ssh to end after a signal, before it is killed. */
const KILL_MS = 3_000;

/** One ssh process and the pipe through it. Nothing on this side listens, and no shell of this side reads its arguments. The owner disposes it. */
export class SshConnection implements IDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #gone = new AbortController();
  /** Resolves once ssh has ended. Never rejects. */
  readonly ended: Promise<SshEnd>;

  /** `env`: with what `AskPass` needs. */
  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn('ssh', [...args], { env, windowsHide: true });
    this.ended = endOf(this.#child, this.#gone);
  }

  /** The first line of the remote side. Rejects if ssh ends before it. */
  hello(): Promise<StdioHello> {
    return readHello(this.#child.stdout, this.#gone.signal);
  }

  /** The bytes after the hello, in both directions. */
  pipe(): Duplex {
    const { stdin, stdout } = this.#child;
    stdin.on('error', () => undefined); // ssh has ended, and `ended` says why
    // A message is one write of a header and one of its text: ssh would send each in a packet of its own.
    const [cork, uncork] = [() => stdin.cork(), () => stdin.uncork()];
    return Object.assign(Duplex.from({ writable: stdin, readable: stdout }), { cork, uncork });
  }

  /** Bytes of the remote side so far. */
  get heardBytes(): number {
    const { stdout } = this.#child; // the type does not say that it is a socket
    return stdout instanceof Socket ? stdout.bytesRead : 0;
  }

  dispose(): void {
    end(this.#child);
  }
}

/** Runs a command of ours until it ends; its output is bounded. Sends all of `stdin`. Rejects if ssh cannot be run. */
export async function runSsh(
  args: readonly string[],
  { env, stdin, signal }: { env: NodeJS.ProcessEnv; stdin?: Readable | null; signal?: AbortSignal },
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const child = spawn('ssh', [...args], { env, windowsHide: true });
  const abort = (): void => end(child);
  signal?.addEventListener('abort', abort);
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject).once('close', resolve);
  const [stdout, stderr] = [lastWords(child.stdout), lastWords(child.stderr)];
  child.stdin.on('error', () => undefined); // the command has ended before it read everything
  if (stdin) stdin.on('error', () => end(child)).pipe(child.stdin);
  else child.stdin.end();
  try {
    return { exitCode: await promise, stdout: stdout(), stderr: stderr() };
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

function endOf(child: ChildProcessWithoutNullStreams, gone: AbortController): Promise<SshEnd> {
  const said = lastWords(child.stderr);
  return new Promise((resolve) => {
    const finish = (end: SshEnd): void => {
      gone.abort();
      resolve(end);
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT';
      const reason = isMissing ? 'ssh is not installed here.' : `ssh could not be started: ${error.message}.`;
      finish({ reason, isFinal: true });
    });
    child.once('close', (exitCode) => finish(explainEnd(said(), exitCode)));
  });
}

function lastWords(from: Readable): () => string {
  let text = '';
  from.setEncoding('utf8');
  from.on('data', (piece: string) => {
    text = `${text}${piece}`.slice(-MAX_STDERR_CHARS);
  });
  return () => text;
}

function end(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_MS);
  child.once('close', () => clearTimeout(timer));
}
