import { onTestFinished } from 'vitest';
import { spawnNodePty } from '../../src-main/pty/NodePty.ts';
import type { PtyExit, PtyProcess } from '../../src-main/pty/PtyProcess.ts';
import { CLI } from '../support/builtProgram.ts';
import { eventually } from './Installation.ts';
import { cliEnv, type RunOptions } from './runCli.ts';

/**
 * Runs `hansard` in its own terminal, as a person would, and keeps the output. It ends with the test that started it, even if the test fails
 * and is retried.
 */
export class PtyCli {
  readonly pty: PtyProcess;
  readonly ended: Promise<PtyExit>;
  readonly #pieces: Uint8Array[] = [];
  #seen = 0;

  constructor(args: readonly string[], options: RunOptions) {
    this.pty = spawnNodePty({
      file: process.execPath,
      argv: [CLI, ...args],
      cwd: options.cwd ?? options.home,
      env: { ...cliEnv(options), TERM: 'xterm-256color' },
      cols: 100,
      rows: 30,
    });
    this.pty.onBytes((bytes) => this.#pieces.push(Uint8Array.from(bytes)));
    this.ended = new Promise((resolve) => this.pty.onExit(resolve));
    onTestFinished(async () => {
      this.pty.dispose();
      await this.ended;
    });
  }

  /** All bytes that the terminal has received. */
  get shown(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  /** Resolves when `pattern` appears after the text of all earlier calls. */
  async sees(pattern: RegExp): Promise<void> {
    await eventually(`${pattern} in ${JSON.stringify(this.shown.toString().slice(-600))}`, () => {
      const found = pattern.exec(this.shown.toString('latin1').slice(this.#seen));
      if (!found) return undefined;
      this.#seen += found.index + found[0].length;
      return true;
    });
  }
}
