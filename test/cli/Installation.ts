import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectCore } from '../../src-main/hosts/web/connectCore.ts';
import { CoreAddress } from '../../src-main/hosts/web/coreAddress.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { cliEnv, ended, type RunOptions } from './runCli.ts';

/** A copy of the built program, with a small page in place of the window, or with no page. */
export class Installation {
  readonly root = mkdtempSync(join(tmpdir(), 'hansard-inst-'));

  constructor({ isBuilt }: { isBuilt: boolean }) {
    const isNeeded = (path: string): boolean => !path.endsWith('.map');
    for (const name of ['out/main', 'resources/agent-hooks', 'shell-hooks', 'package.json'])
      cpSync(join(ROOT, name), join(this.root, name), { recursive: true, filter: isNeeded });
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
    if (!isBuilt) return;
    mkdirSync(join(this.root, 'out/renderer'), { recursive: true });
    writeFileSync(join(this.root, 'out/renderer/index.html'), '<!doctype html><title>Hansard</title>');
  }

  start(args: readonly string[], options: RunOptions): RunningCli {
    return new RunningCli([join(this.root, 'out/main/cli.js'), ...args], options);
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A long-running command. Keeps all of its output. */
export class RunningCli {
  readonly child: ChildProcess;
  readonly home: string;
  readonly gone: Promise<[number | null, NodeJS.Signals | null]>;
  stdout = '';
  stderr = '';

  constructor(argv: readonly string[], options: RunOptions) {
    this.home = options.home;
    this.child = spawn(process.execPath, argv, {
      env: cliEnv(options),
      cwd: options.cwd ?? ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (data: Buffer) => {
      this.stdout += data.toString();
    });
    this.child.stderr?.on('data', (data: Buffer) => {
      this.stderr += data.toString();
    });
    this.gone = ended(this.child);
  }

  /** Resolves with the URL once it was printed; rejects with all that was printed when the process ends before. */
  url(): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const url = this.stdout.match(/http:\/\/\S+(?=\n)/)?.[0];
        if (url) resolve(url);
      };
      this.child.stdout?.on('data', look);
      look();
      void this.gone.then(([code]) => reject(new Error(`ended with ${code}: ${this.stdout}${this.stderr}`)));
    });
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    const [code] = await this.gone;
    return code;
  }

  /** The core's API, as the command line reaches it. The caller disposes it. */
  connect(): ReturnType<typeof connectCore> {
    return connectCore(CoreAddress.parse(JSON.parse(readFileSync(join(this.home, 'core.json'), 'utf8'))));
  }

  /** Process ids of its children: the shells. */
  shells(): number[] {
    const path = `/proc/${this.child.pid}/task/${this.child.pid}/children`;
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return text.split(' ').filter(Boolean).map(Number);
  }
}

const LOOK_EVERY_MS = 10;
const GIVE_UP_MS = 20_000;

/** Resolves to the first value that is not undefined. Rejects after 20 s with an error that names `what`. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const until = Date.now() + GIVE_UP_MS; Date.now() < until; ) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error(`never came: ${what}`);
}
