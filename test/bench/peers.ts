import { execFile, fork, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const SIZE = { cols: 120, rows: 40 };

/** Bytes for the parser in Python, which reads about 0.2 MB a second. */
const PYTE_BYTES = 300_000;
const PYTHON = '/usr/bin/python3';

export function isInstalled(program: string, args: readonly string[] = ['--version']): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).error === undefined;
}

/** Milliseconds until node-pty in its own process has read and discarded all output of `argv`. */
export function timeRawRead(argv: readonly string[]): Promise<number> {
  return timeIn('./rawReader.ts', argv);
}

/** Milliseconds that `@xterm/headless` in its own process parses the bytes of a file, without a PTY. */
export function timeRawParse(path: string): Promise<number> {
  return timeIn('./rawParser.ts', [path]);
}

function timeIn(entry: string, argv: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = fileURLToPath(new URL(entry, import.meta.url));
    const child = fork(path, [...argv], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('message', (ms: number) => resolve(ms));
    child.once('exit', (code) => reject(new Error(`${entry} ended with ${code}`)));
  });
}

/** A private tmux server; `time` measures how long it takes to show a file in a detached session. */
export class Tmux {
  readonly #socket = `hansard-bench-${process.pid}`;
  #count = 0;

  static get isInstalled(): boolean {
    return isInstalled('tmux', ['-V']);
  }

  async start(): Promise<this> {
    const { cols, rows } = SIZE;
    await this.#do(['-f', '/dev/null', 'new-session', '-d', '-x', `${cols}`, '-y', `${rows}`, 'sleep 100000']);
    return this;
  }

  async time(path: string): Promise<number> {
    const channel = `done-${++this.#count}`;
    const startMs = performance.now();
    await this.#do(['new-window', '-d', `cat '${path}'; tmux -L ${this.#socket} wait-for -S ${channel}`]);
    await this.#do(['wait-for', channel]);
    return performance.now() - startMs;
  }

  async stop(): Promise<void> {
    await this.#do(['kill-server']);
  }

  async #do(args: readonly string[]): Promise<void> {
    await run('tmux', ['-L', this.#socket, ...args]);
  }
}

/** Times `asciinema rec` of a `cat`. asciinema needs a terminal, so node-pty reads and discards its output. */
export async function timeAsciinema(folder: string, path: string): Promise<number> {
  const cast = join(folder, 'bench.cast');
  const ms = await timeRawRead(['asciinema', 'rec', '-q', '--overwrite', '-c', `cat '${path}'`, cast]);
  rmSync(cast, { force: true });
  return ms;
}

export function isPyteInstalled(): boolean {
  return spawnSync(PYTHON, ['-c', 'import pyte'], { stdio: 'ignore' }).status === 0;
}

/** Estimated milliseconds of pyte for `bytes` bytes, from the rate of a short piece at the start of the file. */
export async function timePyte(path: string, bytes: number): Promise<number> {
  const program = `
import pyte, sys, time
data = open(sys.argv[1], 'rb').read(${PYTE_BYTES})
stream = pyte.ByteStream(pyte.Screen(${SIZE.cols}, ${SIZE.rows}))
start = time.perf_counter()
stream.feed(data)
print((time.perf_counter() - start) * 1000 / len(data))
`;
  const { stdout } = await run(PYTHON, ['-c', program, path]);
  return Number(stdout) * bytes;
}
