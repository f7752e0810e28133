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

/** Runs the real command line on a new data folder, and controls the core that it leaves in the background. */
export class BackgroundCore {
  readonly home = mkdtempSync(join(tmpdir(), 'hansard-background-'));

  readonly #env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = env;
  }

  /** The process that holds the folder's lock; 0 when the folder has no lock. */
  get pid(): number {
    return readLock(this.home)?.pid ?? 0;
  }

  run(...args: string[]): Promise<Said> {
    return this.runBy(CLI, ...args);
  }

  /** Runs the command line of another installation. */
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

  /** Returns the URL that `serve start` printed; rejects with its whole output when it failed. */
  async start(): Promise<string> {
    const { code, stdout, stderr } = await this.run('serve', 'start');
    if (code !== 0) throw new Error(`serve start ended with ${code}: ${stdout}${stderr}`);
    return stdout.trim();
  }

  async status(): Promise<CoreStatus> {
    return (JSON.parse((await this.run('serve', 'status', '--json')).stdout) as { core: CoreStatus }).core;
  }

  /** Kills the core and its PTY host with all shells, as a power cut does: neither can clean up. Resolves when the core is gone. */
  async kill(): Promise<void> {
    const { pid } = this;
    killHost(this.home, pid);
    await this.#isGone(pid);
  }

  /** Kills only the core; shells in the PTY host keep running. Resolves when the core is gone; false if there was none. */
  async killCore(): Promise<boolean> {
    const { pid } = this;
    if (pid === 0) return false;
    process.kill(pid, 'SIGKILL');
    await this.#isGone(pid);
    return true;
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }

  async #isGone(pid: number): Promise<void> {
    while (this.pid === pid && pid !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
