import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FloodFigures, ManyRequest } from './manyMain.ts';

const ENTRY = fileURLToPath(new URL('./manyMain.ts', import.meta.url));

/** A core with many terminals, in its own process. The caller stops it. */
export class ManyTerminals {
  readonly #child: ChildProcess = fork(ENTRY, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

  async open(count: number): Promise<void> {
    await this.#ask({ type: 'open', count });
  }

  async flood(cmd: string, count: number): Promise<FloodFigures> {
    return (await this.#ask({ type: 'flood', cmd, count })) as FloodFigures;
  }

  /** Resident bytes of the idle core's process, with its worker and without the shells. */
  async idleBytes(): Promise<number> {
    await this.#ask({ type: 'settle' });
    const status = readFileSync(`/proc/${this.#child.pid}/smaps_rollup`, 'latin1');
    return Number(/^Rss:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024;
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    await this.#ask({ type: 'stop' });
    this.#child.disconnect();
    await gone;
  }

  #ask(request: ManyRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`the core ended: ${code}`));
      this.#child.once('exit', ended);
      this.#child.once('message', (answer: { ok: true; value: unknown } | { ok: false; reason: string }) => {
        this.#child.off('exit', ended);
        if (answer.ok) resolve(answer.value);
        else reject(new Error(answer.reason));
      });
      this.#child.send(request);
    });
  }
}
