import { spawnNodePty } from '../../src-main/pty/NodePty.ts';
import type { PtyExit, PtyProcess } from '../../src-main/pty/PtyProcess.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { cliEnv } from '../cli/runCli.ts';
import { screenRows } from './screenState.ts';
import { ROOT } from './sourceFiles.ts';

const GIVE_UP_MS = 10_000;

/**
 * A person's terminal that runs a program: a real PTY and an emulator that shows the output and answers queries as any terminal does.
 * Keeps every reply of the emulator.
 */
export class AttachedTerminal {
  readonly screen: ScreenModel;
  readonly exited: Promise<PtyExit>;
  /** The emulator's replies to queries; a viewer's emulator must have no query to answer. */
  readonly replies: string[] = [];
  bytes = Buffer.alloc(0);
  exit: PtyExit | null = null;
  readonly #pty: PtyProcess;
  readonly #looks = new Set<() => void>();

  constructor(
    argv: readonly string[],
    {
      home,
      cols = 80,
      rows = 24,
      env = {},
    }: { home: string; cols?: number; rows?: number; env?: Record<string, string> },
  ) {
    this.screen = new ScreenModel({ cols, rows, scrollbackLines: 1000 });
    this.screen.setColors({ foreground: '#111111', background: '#eeeeee', cursor: '#222222' });
    const [file = '', ...rest] = argv;
    this.#pty = spawnNodePty({
      file,
      argv: rest,
      cwd: ROOT,
      env: { ...cliEnv({ home }), TERM: 'xterm-256color', ...env },
      cols,
      rows,
    });
    this.screen.onReply((reply) => {
      this.replies.push(reply);
      this.#pty.write(reply);
    });
    this.#pty.onBytes((bytes) => {
      this.bytes = Buffer.concat([this.bytes, bytes]);
      this.screen.write(bytes);
      this.#look();
    });
    this.exited = new Promise((resolve) => {
      this.#pty.onExit((exit) => {
        this.exit = exit;
        this.#look();
        resolve(exit);
      });
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get text(): string {
    return screenRows(this.screen).join('\n').trimEnd();
  }

  get rows(): string[] {
    return screenRows(this.screen);
  }

  type(keys: string | Uint8Array): void {
    this.#pty.write(keys);
  }

  resize(cols: number, rows: number): void {
    this.screen.resize({ cols, rows });
    this.#pty.resize(cols, rows);
  }

  kill(signal: NodeJS.Signals): void {
    this.#pty.kill(signal);
  }

  /** Resolves when `isMet` returns true. Checks now, after each output and every 50 ms; rejects after 10 s. */
  until(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        clearInterval(again);
        this.#looks.delete(look);
      };
      const look = (): void => {
        if (!isMet()) return;
        stop();
        resolve();
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`waited in vain for ${isMet.toString()}\n${this.text}\n${JSON.stringify(this.exit)}`));
      }, GIVE_UP_MS);
      const again = setInterval(look, 50); // the condition may depend on something other than the output
      this.#looks.add(look);
    });
  }

  shows(text: string): Promise<void> {
    return this.until(() => this.text.includes(text));
  }

  async dispose(): Promise<void> {
    if (!this.exit) this.#pty.kill('SIGKILL');
    await this.exited;
    this.#pty.dispose();
    this.screen.dispose();
  }

  #look(): void {
    for (const look of [...this.#looks]) look();
  }
}
