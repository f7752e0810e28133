import { execFile } from 'node:child_process';
import { constants as osConstants } from 'node:os';
import { Readable } from 'node:stream';
import { type IPty, spawn } from 'node-pty';
import { CELL_PX } from '../contract/image.ts';
import { Emitter } from '../util/Emitter.ts';
import { type ForegroundProcess, foregroundArgv, foregroundProcesses, lookAt, programsOf } from './foreground.ts';
import { type KeyTaker, keyTaker } from './keyTaker.ts';
import type { ProcessView } from './ProcessView.ts';
import type { PtyExit, PtyProcess, PtySpec } from './PtyProcess.ts';
import { TailReader } from './TailReader.ts';
import { writeAtOnce } from './writeAtOnce.ts';

/** Members of node-pty's Unix terminal that its types hide. */
interface UnixInternals {
  readonly ptsName?: string;
  readonly _socket?: Readable;
  /** node-pty sets it when the process has exited and the socket is open. */
  _boundClose?: boolean;
}

/** The only user of node-pty. */
export class NodePty implements PtyProcess {
  readonly pid: number;
  readonly #pty: IPty;
  readonly #bytes = new Emitter<Uint8Array>();
  readonly #exit = new Emitter<PtyExit>();
  readonly #tail: TailReader;
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
      encoding: CAN_TAKE_DECODER_OUT ? 'utf8' : null,
    });
    this.pid = this.#pty.pid;
    this.resize(spec.cols, spec.rows); // node-pty's start accepts no size in px
    const internals = this.#pty as unknown as UnixInternals;
    this.#tail = new TailReader(internals.ptsName, (bytes) => this.#bytes.fire(bytes));
    if (CAN_TAKE_DECODER_OUT) takeDecoderOut(internals._socket);
    else setIutf8(internals.ptsName);
    readOnBeforeDestroy(internals._socket, this.#tail);
    endAtExit(internals, () => this.#look()?.all()?.length === 0);
    // Without a decoder node-pty emits Buffers, despite its types.
    this.#pty.onData((data) => this.#tail.take(data as unknown as Buffer));
    this.#pty.onExit(({ exitCode, signal }) => this.#finish(exitCode, signal ?? 0));
  }

  write(data: string | Uint8Array): void {
    if (!this.#hasExited) writeAtOnce(this.#pty, Buffer.from(data));
  }

  resize(cols: number, rows: number): void {
    if (!this.#hasExited) this.#pty.resize(cols, rows, pixelSize(cols, rows));
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

  foregroundArgv(): string[] {
    return this.#hasExited ? [] : foregroundArgv(this.pid, this.#look());
  }

  foregroundProcesses(): ForegroundProcess[] | null {
    return this.#hasExited ? [] : foregroundProcesses(this.pid, this.#look());
  }

  keyTaker(): KeyTaker | null {
    return this.#hasExited ? null : keyTaker(this.pid, this.#look());
  }

  runningPrograms({ copies }: { copies: boolean }): string[] | null {
    return this.#hasExited ? [] : programsOf(this.pid, this.#look(), copies);
  }

  dispose(): void {
    if (!this.#hasExited) this.#pty.kill('SIGHUP');
    this.#bytes.dispose();
    this.#tail.dispose();
  }

  #look(): ProcessView | null {
    return lookAt({ pid: this.pid, tty: (this.#pty as unknown as UnixInternals).ptsName });
  }

  #finish(exitCode: number, signal: number): void {
    this.#hasExited = true;
    this.#tail.dispose();
    this.#exit.fire({ exitCode: signal ? null : exitCode, signal: signal ? signalName(signal) : null });
    this.#exit.dispose();
  }
}

/** Size in px (TIOCGWINSZ), from which programs that print images compute a cell's size. */
function pixelSize(cols: number, rows: number): { width: number; height: number } {
  return { width: cols * CELL_PX.width, height: rows * CELL_PX.height };
}

/**
 * With the encoding 'utf8', node-pty sets IUTF8 before the program runs (without it, the kernel's erase would cut characters),
 * but also decodes: a lone 0xFF would be recorded as U+FFFD. So this removes the decoder in the same turn, before any byte.
 */
function takeDecoderOut(socket: Readable | undefined): void {
  if (!socket) return;
  const state = (socket as unknown as { _readableState: { decoder: unknown; encoding: unknown } })._readableState;
  state.decoder = null;
  state.encoding = null;
}

/** Tried once on a test stream, because these are Node's internals. */
const CAN_TAKE_DECODER_OUT = (() => {
  const probe = new Readable({ read: () => undefined }).setEncoding('utf8');
  takeDecoderOut(probe);
  probe.push(Buffer.of(0xff));
  return probe.readableEncoding === null && Buffer.isBuffer(probe.read());
})();

/**
 * Used if the decoder cannot be removed. Does not wait: stty waits until pending output is read, which is our work, so
 * waiting for it would deadlock. The shell's line editor may win this race.
 */
function setIutf8(ptsName: string | undefined): void {
  if (!ptsName) return;
  const flag = process.platform === 'darwin' ? '-f' : '-F';
  execFile('stty', [flag, ptsName, 'iutf8'], () => undefined); // without stty only erasing in canonical mode is wrong
}

/** node-pty destroys its socket 200 ms after the exit, read or not, even if we paused it. */
function readOnBeforeDestroy(socket: Readable | undefined, tail: TailReader): void {
  if (!socket) return;
  const destroy = socket.destroy.bind(socket);
  let isEnding = false;
  socket.destroy = (error?: Error): Readable => {
    if (error || isEnding) return error ? destroy(error) : socket;
    isEnding = true;
    tail.end(() => destroy());
    socket.resume();
    return socket;
  };
}

/**
 * After the exit, node-pty waits up to 200 ms until its socket closes by itself. It never does, because `TailReader` keeps the PTY open. If no
 * process is left that could print, this begins the end at once. Without that member of node-pty, the 200 ms pass.
 */
function endAtExit(pty: UnixInternals, isAlone: () => boolean): void {
  let hasExited = false;
  Object.defineProperty(pty, '_boundClose', {
    get: () => hasExited,
    set(value: boolean) {
      hasExited = value;
      setImmediate(() => isAlone() && pty._socket?.destroy());
    },
  });
}

const SIGNAL_NAMES = new Map(Object.entries(osConstants.signals).map(([name, number]) => [number, name]));

/** `SIGTERM` for 15; the number itself if this system has no name for it. */
export function signalName(signal: number): string {
  return SIGNAL_NAMES.get(signal) ?? `signal ${signal}`;
}

/** A process inherits the umask of its parent, so this process sets it for the moment of the start. */
export function spawnNodePty(spec: PtySpec): PtyProcess {
  if (spec.umask === undefined) return new NodePty(spec);
  const own = process.umask(spec.umask);
  try {
    return new NodePty(spec);
  } finally {
    process.umask(own);
  }
}
