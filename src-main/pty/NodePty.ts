import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { type IPty, spawn } from 'node-pty';
import { Emitter } from '../util/Emitter.ts';
import { programsOfSession } from './foreground.ts';
import type { PtyExit, PtyProcess, PtySpec } from './PtyProcess.ts';

/** After the process has gone, this long without a byte means that the kernel's buffer (about 20 KiB) is empty. */
const QUIET_AFTER_EXIT_MS = 25;

/** The parts of node-pty's Unix terminal that its types hide. */
interface UnixInternals {
  readonly ptsName?: string;
  readonly _socket?: {
    destroy(error?: Error): unknown;
    resume(): unknown;
    on(event: 'data', run: () => void): unknown;
  };
}

/** The only user of node-pty. */
export class NodePty implements PtyProcess {
  readonly pid: number;
  readonly #pty: IPty;
  readonly #bytes = new Emitter<Uint8Array>();
  readonly #exit = new Emitter<PtyExit>();
  #heldSlave: number | null;
  #hasExited = false;

  readonly onBytes = this.#bytes.on;
  readonly onExit = this.#exit.on;

  constructor(spec: PtySpec) {
    this.#pty = spawn(spec.file, [...spec.argv], {
      cwd: spec.cwd,
      env: { ...spec.env },
      cols: spec.cols,
      rows: spec.rows,
      name: spec.env.TERM ?? 'xterm-256color',
      encoding: null, // its default turns a lone 0xFF into U+FFFD: the record would not be lossless
    });
    this.pid = this.#pty.pid;
    const internals = this.#pty as unknown as UnixInternals;
    this.#heldSlave = holdSlave(internals.ptsName);
    setIutf8(internals.ptsName);
    drainBeforeDestroy(internals);
    // With `encoding: null` node-pty hands out Buffers, whatever its types say.
    this.#pty.onData((data) => this.#bytes.fire(data as unknown as Uint8Array));
    this.#pty.onExit(({ exitCode, signal }) => this.#finish(exitCode, signal ?? 0));
  }

  write(data: string | Uint8Array): void {
    if (!this.#hasExited) this.#pty.write(typeof data === 'string' ? data : Buffer.from(data));
  }

  resize(cols: number, rows: number): void {
    if (!this.#hasExited) this.#pty.resize(cols, rows);
  }

  pause(): void {
    if (!this.#hasExited) this.#pty.pause();
  }

  resume(): void {
    if (!this.#hasExited) this.#pty.resume();
  }

  kill(signal: string): void {
    if (!this.#hasExited) this.#pty.kill(signal);
  }

  runningPrograms(): string[] {
    return this.#hasExited ? [] : programsOfSession(this.pid);
  }

  dispose(): void {
    if (!this.#hasExited) this.#pty.kill('SIGHUP');
    this.#bytes.dispose();
    this.#releaseSlave();
  }

  #finish(exitCode: number, signal: number): void {
    this.#hasExited = true;
    this.#releaseSlave();
    this.#exit.fire({ exitCode: signal ? null : exitCode, signal: signal ? signalName(signal) : null });
    this.#exit.dispose();
  }

  #releaseSlave(): void {
    if (this.#heldSlave === null) return;
    closeSync(this.#heldSlave);
    this.#heldSlave = null;
  }
}

/**
 * Keeps the slave side open until the exit has been reported. Linux drops what is still in the buffer when the last slave
 * closes: node-pty 1.1.0 alone lost bytes in a quarter of 20 KiB runs (node-pty #72); held open, none in 520.
 */
function holdSlave(ptsName: string | undefined): number | null {
  return ptsName ? openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY) : null;
}

/** With `encoding: null` node-pty leaves IUTF8 unset, and the kernel's erase would cut multi-byte characters. */
function setIutf8(ptsName: string | undefined): void {
  if (!ptsName) return;
  const flag = process.platform === 'darwin' ? '-f' : '-F';
  spawnSync('stty', [flag, ptsName, 'iutf8'], { stdio: 'ignore' });
}

/**
 * node-pty destroys its socket 200 ms after the exit, read or not. While the terminal was paused (back-pressure) bytes may
 * still wait in the kernel, so the destruction waits until reading has gone quiet.
 */
function drainBeforeDestroy(internals: UnixInternals): void {
  const socket = internals._socket;
  if (!socket) return;
  const destroy = socket.destroy.bind(socket);
  let isDraining = false;
  socket.destroy = (error?: Error) => {
    if (error) return destroy(error);
    if (isDraining) return socket;
    isDraining = true;
    let timer = setTimeout(destroy, QUIET_AFTER_EXIT_MS);
    socket.on('data', () => {
      clearTimeout(timer);
      timer = setTimeout(destroy, QUIET_AFTER_EXIT_MS);
    });
    socket.resume();
    return socket;
  };
}

const SIGNAL_NAMES = new Map(Object.entries(osConstants.signals).map(([name, number]) => [number, name]));

/** `SIGTERM` for 15; the number itself where this system has no name for it. */
export function signalName(signal: number): string {
  return SIGNAL_NAMES.get(signal) ?? `signal ${signal}`;
}

export function spawnNodePty(spec: PtySpec): PtyProcess {
  return new NodePty(spec);
}
