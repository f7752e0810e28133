/** Most bytes, and longest time, between acknowledgements. After 1 MiB without one, the core sends a new state instead of bytes. */
const EVERY_BYTES = 64 * 1024;
const AFTER_MS = 50;

/** Acknowledges to the core how far the emulator has parsed: batched, and never backwards. */
export class Acks {
  readonly #send: (offset: number) => void;
  #sent = 0;
  #latest = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (offset: number) => void) {
    this.#send = send;
  }

  /** Everything before `offset` is parsed. A lower offset than before restarts the count, because a restarted core counts from zero. */
  reached(offset: number): void {
    if (offset < this.#latest) this.#sent = 0;
    this.#latest = offset;
    if (offset - this.#sent >= EVERY_BYTES) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), AFTER_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sent = this.#latest;
    this.#send(this.#latest);
  }
}
