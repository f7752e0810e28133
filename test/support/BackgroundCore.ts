import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreStatus } from '../../src-main/contract/coreStatus.ts';
import { readLock } from '../../src-main/store/instance/lockFile.ts';
import { killHost } from './hostProcess.ts';
import { CLI, shellEnv } from './WebApp.ts';

export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A data folder and the real command line on it, with whatever core that leaves in the background. */
export class BackgroundCore {
  readonly home = mkdtempSync(join(tmpdir(), 'hansard-background-'));

  readonly #env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = env;
  }

  /** The process that holds the folder; 0 when none does. */
  get pid(): number {
    return readLock(this.home)?.pid ?? 0;
  }

  run(...args: string[]): Promise<Said> {
    return this.runBy(CLI, ...args);
  }

  /** Of another installation. */
  runBy(cli: string, ...args: string[]): Promise<Said> {
    const child = spawn(process.execPath, [cli, ...args], {
      env: { ...shellEnv(), ...this.#env, HANSARD_HOME: this.home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      stderr += data.toString();
    });
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  }

  /** The URL that `serve start` printed; rejects with all that was printed when it failed. */
  async start(): Promise<string> {
    const { code, stdout, stderr } = await this.run('serve', 'start');
    if (code !== 0) throw new Error(`serve start ended with ${code}: ${stdout}${stderr}`);
    return stdout.trim();
  }

  async status(): Promise<CoreStatus> {
    return (JSON.parse((await this.run('serve', 'status', '--json')).stdout) as { core: CoreStatus }).core;
  }

  /** Resolves when it is gone as if the power had failed: nothing is tidied up, and shells in the PTY host end too. */
  async kill(): Promise<void> {
    const { pid } = this;
    killHost(this.home, pid);
    await this.#isGone(pid);
  }

  /** Resolves when the core is gone; shells in the PTY host run on. */
  async killCore(): Promise<void> {
    const { pid } = this;
    process.kill(pid, 'SIGKILL');
    await this.#isGone(pid);
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }

  async #isGone(pid: number): Promise<void> {
    while (this.pid === pid && pid !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
