import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Request = { type: 'open'; shell: string } | { type: 'run'; cmd: string } | { type: 'collect' } | { type: 'stop' };
export type CoreRequest = Request & { id: number };
export type CoreAnswer = { id: number; ok: true; value: unknown } | { id: number; ok: false; reason: string };

export interface RunFigures {
  /** Time until the block has ended, the viewer has its last byte and the screen shows it. */
  ms: number;
  /** Time until the text of a block that addressed the cursor is written too. */
  textMs: number;
  rawBytes: number;
  lines: number;
}

export interface Memory {
  residentBytes: number;
  /** Bytes of the main thread's objects and buffers in use. */
  liveBytes: number;
}

const ENTRY = fileURLToPath(new URL('./coreMain.ts', import.meta.url));

/**
 * A real core in its own process, with its shells in the PTY host as in the app, so that the benchmark's own work is not measured. The
 * caller disposes it.
 */
export class CoreProcess {
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #count = 0;

  /** `execArgv` is for Node, for example `--cpu-prof`; `env` is added to our environment. */
  constructor(execArgv: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    this.#child = fork(ENTRY, {
      execArgv: ['--expose-gc', ...execArgv],
      env: { ...process.env, HANSARD_PTY_HOST: 'on', ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.on('message', (answer: CoreAnswer) => this.#hear(answer));
    this.#child.on('exit', (code, signal) => this.#ended(`the core ended: ${signal ?? code}`));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Opens a terminal for later runs. Resolves with the milliseconds to its first prompt. */
  async open(shell = 'bash'): Promise<number> {
    return (await this.#ask({ type: 'open', shell })) as number;
  }

  async run(cmd: string): Promise<RunFigures> {
    return (await this.#ask({ type: 'run', cmd })) as RunFigures;
  }

  /** Memory after a garbage collection of the main thread. */
  async collect(): Promise<Memory> {
    return (await this.#ask({ type: 'collect' })) as Memory;
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    await this.#ask({ type: 'stop' });
    this.#child.disconnect();
    await gone;
  }

  #ask(request: Request): Promise<unknown> {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#child.send({ ...request, id }, (error) => error && reject(error));
    });
  }

  #hear(answer: CoreAnswer): void {
    const call = this.#calls.get(answer.id);
    this.#calls.delete(answer.id);
    if (answer.ok) call?.resolve(answer.value);
    else call?.reject(new Error(answer.reason));
  }

  #ended(reason: string): void {
    for (const { reject } of this.#calls.values()) reject(new Error(reason));
    this.#calls.clear();
  }
}
