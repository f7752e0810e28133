import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Rows of a screen (with the scrollback above it, if requested) without trailing blanks, and the cursor. */
export interface Shown {
  rows: string[];
  cursor: [row: number, col: number];
}

/** A second emulator to compare screens with: a separate tmux server with one detached pane that shows the bytes written to it. */
export class TmuxScreen {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tmux-screen-'));
  readonly #fifo: number;
  #count = 0;

  constructor(cols: number, rows: number) {
    const path = join(this.#folder, 'output');
    execFileSync('mkfifo', [path]);
    this.#tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      `${cols}`,
      '-y',
      `${rows}`,
      `stty raw -echo; exec cat ${path}`,
    );
    this.#tmux('set', '-g', 'status', 'off');
    this.#tmux('resize-window', '-x', `${cols}`, '-y', `${rows}`);
    this.#fifo = openSync(path, 'r+');
  }

  /** Shows `output` on a fresh screen. A title after the output reports when tmux has read it. */
  show(output: string, withHistory = false): Shown {
    const title = `case-${++this.#count}`;
    writeSync(this.#fifo, `\x1bc\x1b[3J${output}\x1b]2;${title}\x07`);
    const untilMs = performance.now() + 5000;
    for (;;) {
      const [shownTitle = '', col = '', row = ''] = this.#tmux(
        'display',
        '-p',
        '#{pane_title} #{cursor_x} #{cursor_y}',
      ).split(' ');
      if (shownTitle === title) {
        const rows = this.#tmux('capture-pane', '-p', ...(withHistory ? ['-S', '-'] : []))
          .split('\n')
          .slice(0, -1);
        return { rows: rows.map((line) => line.trimEnd()), cursor: [Number(row), Number(col)] };
      }
      if (performance.now() > untilMs) throw new Error(`tmux did not show ${title} in 5 s: ${JSON.stringify(output)}`);
    }
  }

  dispose(): void {
    closeSync(this.#fifo);
    try {
      this.#tmux('kill-server');
    } catch {
      // the pane ends with the pipe, and tmux ends with its last pane
    }
    rmSync(this.#folder, { recursive: true });
  }

  #tmux(...args: string[]): string {
    const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' };
    return execFileSync('tmux', ['-u', '-S', join(this.#folder, 'socket'), ...args], {
      encoding: 'utf8',
      env,
      stdio: 'pipe',
    });
  }
}
