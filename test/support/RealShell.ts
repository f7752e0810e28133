import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type IPty, spawn } from 'node-pty';
import { launchPlan } from '../../src-main/shells/launchPlan.ts';
import { readHooks } from '../../src-main/shells/readHooks.ts';
import { knownToFish } from './fishHome.ts';
import { type Card, cardsOf, type Mark, parseMarks } from './hookMarks.ts';

export const HOOKS_DIR = fileURLToPath(new URL('../../shell-hooks', import.meta.url));

/** A fixed nonce that no test text contains by chance. */
export const TEST_NONCE = `Zj${'0f1e2d3c4b5a6978'.repeat(2)}`;

export interface RealShellOptions {
  shell: string;
  /** Files of the person's home folder, path → text. */
  home?: Record<string, string>;
  env?: (home: string) => Record<string, string>;
  login?: boolean;
  cwd?: string;
  /** Another hooks folder, for a hook that the test changes. */
  hooksDir?: string;
}

/** Limit of each wait for a shell: other suites share the two cores, and ble.sh takes seconds of CPU for a long line. */
const PATIENCE_MS = 40_000;

/** A real shell in a real PTY, started by the launch plan in its own home folder. */
export class RealShell {
  readonly home = mkdtempSync(join(tmpdir(), 'hansard-home-'));
  readonly #run = mkdtempSync(join(tmpdir(), 'hansard-run-'));
  #pty: IPty;
  #bytes = Buffer.alloc(0);
  #waiting = new Set<() => void>();
  #exit: { exitCode: number; signal: number | undefined } | null = null;

  constructor({ shell, home = {}, env = () => ({}), login = false, cwd, hooksDir = HOOKS_DIR }: RealShellOptions) {
    knownToFish(this.home);
    for (const [path, text] of Object.entries(home)) this.writeHome(path, text);
    const base = { HOME: this.home, PATH: '/usr/bin:/bin', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env(this.home) };
    const { hooks } = readHooks(hooksDir, { readdirSync: (path) => readdirSync(path), readFileSync });
    const nonceFile = join(this.#run, 'nonce');
    writeFileSync(nonceFile, `${TEST_NONCE}\n`, { mode: 0o600 });
    const plan = launchPlan({ shellPath: `/usr/bin/${shell}`, hooks, hooksDir, nonceFile, login, env: base });
    this.#pty = spawn(plan.file, plan.args, {
      cols: 100,
      rows: 30,
      cwd: cwd ?? this.home,
      env: { ...base, ...plan.env },
      encoding: null,
    });
    // With `encoding: null` the data are Buffers; node-pty's types know only strings.
    this.#pty.onData((data: unknown) => this.#take(data as Buffer));
    this.#pty.onExit(({ exitCode, signal }) => {
      this.#exit = { exitCode, signal };
      this.#wake();
    });
  }

  /** Resolves at the first prompt. */
  static async start(options: RealShellOptions): Promise<RealShell> {
    const shell = new RealShell(options);
    await shell.waitFor(() => shell.prompts > 0);
    return shell;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  get text(): string {
    return this.#bytes.toString('latin1');
  }

  get marks(): Mark[] {
    return parseMarks(this.#bytes, TEST_NONCE);
  }

  get prompts(): number {
    return this.marks.filter(({ name }) => name === 'PROMPT').length;
  }

  get cards(): Card[] {
    return cardsOf(this.marks, this.#bytes);
  }

  get exit(): { exitCode: number; signal: number | undefined } | null {
    return this.#exit;
  }

  writeHome(path: string, text: string): void {
    mkdirSync(dirname(join(this.home, path)), { recursive: true });
    writeFileSync(join(this.home, path), text);
  }

  type(keys: string | Buffer): void {
    this.#pty.write(typeof keys === 'string' ? keys : keys.toString('latin1'));
  }

  /** Types `line` and Return, and resolves after `prompts` more PROMPT markers. */
  async run(line: string, prompts = 1): Promise<void> {
    const want = this.prompts + prompts;
    this.type(`${line}\r`);
    await this.waitFor(() => this.prompts >= want, line);
  }

  /** Checks `met` now and after every chunk; rejects with the end of the output after PATIENCE_MS. */
  async waitFor(met: () => boolean, what = met.toString()): Promise<void> {
    if (met()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`waited in vain for ${what}; last output: ${JSON.stringify(this.text.slice(-1500))}`));
      }, PATIENCE_MS);
      const look = () => {
        if (!met()) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  async dispose(): Promise<void> {
    if (!this.#exit) this.#pty.kill('SIGKILL');
    await this.waitFor(() => this.#exit !== null, 'the shell to end');
    for (const folder of [this.home, this.#run]) rmSync(folder, { recursive: true, force: true });
  }

  #take(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    this.#wake();
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look();
  }
}
