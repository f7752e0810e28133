import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';

/** Time limit for the end sign. Output that the person stopped (Ctrl-S) never moves, and must not delay the exit. */
const GIVE_UP_MS = 2_000;
const RETRY_MS = 5;

/**
 * Reads a PTY to its very last byte. Linux drops unread bytes when the last slave closes, and nothing shows whether
 * bytes are still on their way: on a loaded machine some came 200 ms after the process had exited, and were lost. So this keeps
 * its own slave open and writes an end sign into it after the exit, which is read after all other bytes.
 */
export class TailReader {
  /** Random, so that no output equals it; capitals, which output processing never changes. */
  readonly #sign = Buffer.from([...randomBytes(24)].map((byte) => 0x41 + (byte % 26)));
  readonly #emit: (bytes: Uint8Array) => void;
  #slave: number | null;
  /** Bytes since the exit, while the sign is searched. */
  #tail: Buffer | null = null;
  #finished: (() => void) | null = null;
  #timers: NodeJS.Timeout[] = [];

  /** `ptsName` is undefined if the system has none (Windows): the end is then accepted as it comes. */
  constructor(ptsName: string | undefined, emit: (bytes: Uint8Array) => void) {
    this.#emit = emit;
    this.#slave = ptsName ? openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK) : null;
  }

  take(bytes: Buffer): void {
    if (!this.#tail) return this.#emit(bytes);
    this.#tail = Buffer.concat([this.#tail, bytes]);
    const at = this.#tail.indexOf(this.#sign);
    if (at >= 0) return this.#finish(at);
    // Everything except a possible start of the sign is output.
    const sure = this.#tail.length - this.#sign.length;
    if (sure <= 0) return;
    this.#emit(this.#tail.subarray(0, sure));
    this.#tail = this.#tail.subarray(sure);
  }

  /** The process has exited: calls `finished` after its last byte was emitted. Reading must continue meanwhile. */
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

  /** Does not wait: the buffer may be full, and this same thread empties it. */
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

/** Number of bytes written, 0 if the buffer is full, null if writing is no longer possible. */
function writeSome(fd: number, bytes: Uint8Array): number | null {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null; // EIO: the other side is closed, the sign will not come back
  }
}
