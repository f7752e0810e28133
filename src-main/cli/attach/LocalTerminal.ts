import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { CliError, EXIT } from '../print/exitCodes.ts';

export interface Size {
  cols: number;
  rows: number;
}

/** Events of the terminal. */
export interface LocalEvents {
  keys(bytes: Uint8Array): void;
  resize(): void;
  /** The process was stopped and continues: another program has used the terminal meanwhile. */
  resumed(): void;
  /** A signal requests the end, or (null) the terminal was closed. */
  ending(signal: NodeJS.Signals | null): void;
  /** Sequences that reset the changed modes. */
  leave(): string;
}

/** Save the title on xterm's title stack, and restore it. Terminals without a stack ignore both. */
const [PUSH_TITLE, POP_TITLE] = ['\x1b[22;2t', '\x1b[23;2t'];
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * The terminal in which `hansard attach` runs, in raw mode: keys and bytes pass unchanged. It is restored on every exit of the process except
 * SIGKILL, and exactly the modes of `leave` are reset.
 */
export class LocalTerminal {
  readonly #stops: (() => void)[] = [];
  #isOurs = false;
  #leave: () => string = () => '';

  /** Throws a CliError unless both stdin and stdout are terminals. */
  constructor() {
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new CliError('attach needs a terminal on its input and its output', EXIT.usage);
  }

  get size(): Size {
    return { cols: process.stdout.columns, rows: process.stdout.rows };
  }

  /** Sets raw mode and listens; `restore` ends both. */
  take(on: LocalEvents): void {
    this.#isOurs = true;
    this.#leave = on.leave;
    this.#makeRaw();
    this.write(PUSH_TITLE);
    this.#listen(process, 'exit', () => this.restore());
    for (const signal of ENDING) this.#listen(process, signal, () => on.ending(signal));
    this.#listen(process, 'SIGCONT', () => {
      this.#makeRaw(); // the shell has changed the modes meanwhile
      on.resumed();
    });
    this.#listen(process.stdout, 'resize', () => on.resize());
    this.#listen(process.stdin, 'data', (bytes: Uint8Array) => on.keys(bytes));
    this.#listen(process.stdin, 'end', () => on.ending(null));
    this.#listen(process.stdin, 'error', () => on.ending(null)); // EIO: the terminal was closed
    process.stdin.resume();
  }

  /** Calls `taken` when the terminal has taken the data. */
  write(data: string | Uint8Array, taken?: () => void): void {
    process.stdout.write(data, () => taken?.());
  }

  title(text: string): void {
    this.write(`\x1b]2;${text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200)}\x1b\\`);
  }

  /** Runs once; earlier output is already on its way. `remark` gets a line of its own. */
  restore(remark = ''): void {
    if (!this.#isOurs) return;
    this.#isOurs = false;
    for (const stop of this.#stops.splice(0)) stop();
    writeNow(`${this.#leave()}${POP_TITLE}\x1b[${this.size.rows};1H\r\n${remark}`);
    process.stdin.pause();
    try {
      process.stdin.setRawMode(false);
    } catch {
      // the terminal was closed, so there is nothing to restore
    }
  }

  #makeRaw(): void {
    process.stdin.setRawMode(false);
    process.stdin.setRawMode(true);
    // Node keeps the conversion of LF to CR LF, which would move the program's output to other columns.
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
    // the terminal was closed or takes no more output, so the error cannot be shown
  }
}
