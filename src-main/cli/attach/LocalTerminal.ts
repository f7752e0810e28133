import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { CliError, EXIT } from '../print/exitCodes.ts';

export interface Size {
  cols: number;
  rows: number;
}

/** What happens at the terminal. */
export interface LocalEvents {
  keys(bytes: Uint8Array): void;
  resize(): void;
  /** The process was stopped and goes on: somebody else has used the terminal. */
  resumed(): void;
  /** A signal asks to end, or (null) the terminal has gone. */
  ending(signal: NodeJS.Signals | null): void;
  /** Sequences that take back what was switched on. */
  leave(): string;
}

/** On xterm's stack of titles: put the present one there, take it back. Terminals without one ignore both. */
const [PUSH_TITLE, POP_TITLE] = ['\x1b[22;2t', '\x1b[23;2t'];
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * The terminal that `hansard attach` was started on, raw: keys come as they are, bytes go out as they are. It is given back on any
 * way out of the process but SIGKILL, with exactly those modes taken back that `leave` tells.
 */
export class LocalTerminal {
  readonly #stops: (() => void)[] = [];
  #isOurs = false;
  #leave: () => string = () => '';

  /** Throws a CliError where there is no terminal on both sides. */
  constructor() {
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new CliError('attach needs a terminal on its input and its output', EXIT.usage);
  }

  get size(): Size {
    return { cols: process.stdout.columns, rows: process.stdout.rows };
  }

  /** Makes it raw and listens; `restore` ends both. */
  take(on: LocalEvents): void {
    this.#isOurs = true;
    this.#leave = on.leave;
    this.#makeRaw();
    this.write(PUSH_TITLE);
    this.#listen(process, 'exit', () => this.restore());
    for (const signal of ENDING) this.#listen(process, signal, () => on.ending(signal));
    this.#listen(process, 'SIGCONT', () => {
      this.#makeRaw(); // the shell that had the terminal meanwhile has made it its own
      on.resumed();
    });
    this.#listen(process.stdout, 'resize', () => on.resize());
    this.#listen(process.stdin, 'data', (bytes: Uint8Array) => on.keys(bytes));
    this.#listen(process.stdin, 'end', () => on.ending(null));
    this.#listen(process.stdin, 'error', () => on.ending(null)); // EIO: the terminal has gone
    process.stdin.resume();
  }

  /** `taken` when the terminal has it. */
  write(data: string | Uint8Array, taken?: () => void): void {
    process.stdout.write(data, () => taken?.());
  }

  title(text: string): void {
    this.write(`\x1b]2;${text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200)}\x1b\\`);
  }

  /** Once, whoever calls it; what was written before is on its way already. `remark` comes on a line of its own. */
  restore(remark = ''): void {
    if (!this.#isOurs) return;
    this.#isOurs = false;
    for (const stop of this.#stops.splice(0)) stop();
    writeNow(`${this.#leave()}${POP_TITLE}\x1b[${this.size.rows};1H\r\n${remark}`);
    process.stdin.pause();
    try {
      process.stdin.setRawMode(false);
    } catch {
      // the terminal has gone: there is nothing to give back
    }
  }

  #makeRaw(): void {
    process.stdin.setRawMode(false);
    process.stdin.setRawMode(true);
    // Node leaves "line feed becomes return and line feed" on, which would put what a program draws into other columns.
    execFileSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
  }

  #listen(source: NodeJS.EventEmitter, name: string, listener: (...args: never[]) => void): void {
    const heard = listener as (...args: unknown[]) => void;
    source.on(name, heard);
    this.#stops.push(() => source.off(name, heard));
  }
}

function writeNow(text: string): void {
  try {
    writeSync(process.stdout.fd, text);
  } catch {
    // it has gone, or takes nothing more; there is nobody left to tell
  }
}
