import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import type { TokenVisitor } from '../../events/ControlTokens.ts';
import type { OuterTerminal } from '../../recordings/recordProgram.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { TerminalModeTracker } from '../attach/TerminalModeTracker.ts';

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** Size without a terminal, for example in a script. */
const USUAL = { cols: 80, rows: 24 };
const END_OF_INPUT = Buffer.of(0x04);

/**
 * The terminal in which `hansard record` runs: raw while a program is recorded, and restored on every exit of the process except SIGKILL. Input or
 * output may also be a pipe or a file, which have no modes.
 */
export class HereTerminal implements OuterTerminal {
  readonly #modes = new TerminalModeTracker();
  readonly #takeMode: TokenVisitor = (kind, bytes, from, end) => this.#modes.take(kind, bytes, from, end);
  readonly #stops: (() => void)[] = [];
  /** The signal that ended this process. */
  signal: NodeJS.Signals | null = null;

  get size(): { cols: number; rows: number } {
    if (!process.stdout.isTTY) return USUAL;
    return { cols: sideOf(process.stdout.columns, USUAL.cols), rows: sideOf(process.stdout.rows, USUAL.rows) };
  }

  show(bytes: Uint8Array, eachToken: Parameters<OuterTerminal['show']>[1]): void {
    if (process.stdout.isTTY) eachToken(this.#takeMode); // a pipe or a file has no modes
    process.stdout.write(bytes);
  }

  listen(on: Parameters<OuterTerminal['listen']>[0]): IDisposable {
    this.#makeRaw();
    this.#on(process, 'exit', () => this.restore());
    for (const signal of ENDING)
      this.#on(process, signal, () => {
        this.signal ??= signal;
        on.ending();
      });
    this.#on(process, 'SIGCONT', () => this.#makeRaw()); // the shell has changed the modes meanwhile
    this.#on(process.stdout, 'resize', () => on.resized());
    this.#on(process.stdin, 'data', (bytes: Uint8Array) => on.typed(bytes));
    // The end of an input file does not end the program: the program gets Ctrl+D, as on a terminal.
    this.#on(process.stdin, 'end', () => on.typed(END_OF_INPUT));
    this.#on(process.stdin, 'error', () => on.ending()); // EIO: the terminal was closed
    process.stdin.resume();
    return { dispose: () => this.restore() };
  }

  /** Runs once: resets modes that the program left on, and the raw mode. */
  restore(): void {
    if (this.#stops.length === 0) return;
    for (const stop of this.#stops.splice(0)) stop();
    process.stdin.pause();
    if (process.stdout.isTTY) writeNow(this.#modes.takeReset());
    if (process.stdin.isTTY) setRaw(false);
  }

  #makeRaw(): void {
    if (!process.stdin.isTTY) return;
    setRaw(false);
    setRaw(true);
    // Node keeps the conversion of LF to CR LF, which the program's own terminal has already done.
    if (process.stdout.isTTY) execFileSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
  }

  #on(source: NodeJS.EventEmitter, name: string, listener: (...args: never[]) => void): void {
    const heard = listener as (...args: unknown[]) => void;
    source.on(name, heard);
    this.#stops.push(() => source.off(name, heard));
  }
}

function sideOf(count: number, usual: number): number {
  return count > 0 ? Math.min(1000, Math.max(2, count)) : usual;
}

function setRaw(isRaw: boolean): void {
  try {
    process.stdin.setRawMode(isRaw);
  } catch {
    // the terminal was closed, so there is nothing to set or restore
  }
}

function writeNow(text: string): void {
  if (text === '') return;
  try {
    writeSync(process.stdout.fd, text);
  } catch {
    // the terminal was closed or takes no more output, so the error cannot be shown
  }
}
