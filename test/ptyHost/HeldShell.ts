import type { PtyExit, PtyProcess } from '../../src-main/pty/PtyProcess.ts';
import { Emitter } from '../../src-main/util/Emitter.ts';

/** A process with a PTY whose output the test writes. */
export class HeldShell implements PtyProcess {
  readonly pid = 4711;
  readonly #bytes = new Emitter<Uint8Array>();
  readonly #exit = new Emitter<PtyExit>();
  readonly onBytes = this.#bytes.on;
  readonly onExit = this.#exit.on;
  /** Typed text; `paused` and `resumed` count the calls. */
  typed = '';
  paused = 0;
  resumed = 0;

  print(bytes: Uint8Array): void {
    this.#bytes.fire(bytes);
  }

  exit(exit: PtyExit): void {
    this.#exit.fire(exit);
  }

  write(data: string | Uint8Array): void {
    this.typed += Buffer.from(data as string).toString('latin1');
  }

  pause(): void {
    this.paused += 1;
  }

  resume(): void {
    this.resumed += 1;
  }

  readonly #ignore = (): void => undefined;
  readonly resize = this.#ignore;
  readonly kill = this.#ignore;
  readonly dispose = this.#ignore;

  foregroundArgv(): string[] {
    return [];
  }

  foregroundProcesses(): null {
    return null;
  }

  keyTaker(): null {
    return null;
  }

  runningPrograms(): null {
    return null;
  }
}
