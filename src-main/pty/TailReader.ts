import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';

/** Until the end sign has come back. Output that the person stopped (Ctrl-S) never moves, and must not hold the exit. */
const GIVE_UP_MS = 2_000;
const RETRY_MS = 5;

/**
 * Reads a PTY to its very last byte. Linux drops what is unread when the last slave closes, and nothing tells whether
 * something is still on its way: on a loaded machine bytes came 200 ms after the process had gone, and were lost. So a slave of
 * our own stays open, and after the exit an end sign is written into it: it comes out behind everything else.
 */
export class TailReader {
  /** Random, so that no output can be taken for it; capitals, which no output processing changes. */
  readonly #sign = Buffer.from([...randomBytes(24)].map((byte) => 0x41 + (byte % 26)));
  readonly #emit: (bytes: Uint8Array) => void;
  #slave: number | null;
  /** Bytes since the end was announced, while it is sought. */
  #tail: Buffer | null = null;
  #finished: (() => void) | null = null;
  #timers: NodeJS.Timeout[] = [];

  /** `ptsName` is undefined where the system has none (Windows): then the end is taken as it comes. */
  constructor(ptsName: string | undefined, emit: (bytes: Uint8Array) => void) {
    this.#emit = emit;
    this.#slave = ptsName ? openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK) : null;
  }

  take(bytes: Buffer): void {
    if (!this.#tail) return this.#emit(bytes);
    this.#tail = Buffer.concat([this.#tail, bytes]);
    const at = this.#tail.indexOf(this.#sign);
    if (at >= 0) return this.#finish(at);
    // All but what may be the start of the sign is output.
    const sure = this.#tail.length - this.#sign.length;
    if (sure <= 0) return;
    this.#emit(this.#tail.subarray(0, sure));
    this.#tail = this.#tail.subarray(sure);
  }

  /** The process has gone: `finished` is called when its last byte has been emitted. Reading must go on meanwhile. */
  end(finished: () => void): void {
    if (this.#finished || this.#slave === null) return finished();
    this.#finished = finished;
    this.#tail = Buffer.alloc(0);
    this.#timers.push(setTimeout(() => this.#finish(this.#tail?.length ?? 0), GIVE_UP_MS));
    this.#writeSign(0);
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    if (this.#slave !== null) closeSync(this.#slave);
    this.#slave = null;
  }

  /** Without waiting: the buffer may be full, and it is this very thread that empties it. */
  #writeSign(from: number): void {
    if (this.#slave === null || !this.#finished) return;
    const written = writeSome(this.#slave, this.#sign.subarray(from));
    if (written === null) return this.#finish(this.#tail?.length ?? 0);
    if (from + written < this.#sign.length)
      this.#timers.push(setTimeout(() => this.#writeSign(from + written), RETRY_MS));
  }

  #finish(length: number): void {
    const finished = this.#finished;
    const tail = this.#tail;
    this.#finished = null;
    this.#tail = null;
    if (tail && length > 0) this.#emit(tail.subarray(0, length));
    this.dispose();
    finished?.();
  }
}

/** Bytes written, 0 when the buffer is full, null when nothing can be written any more. */
function writeSome(fd: number, bytes: Uint8Array): number | null {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null; // EIO: the other side has gone, nothing will come back
  }
}
