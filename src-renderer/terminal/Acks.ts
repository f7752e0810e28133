/** Acknowledged at least this often; after 1 MiB of silence the core sends a new state instead of bytes. */
const EVERY_BYTES = 64 * 1024;
const AFTER_MS = 50;

/** Tells the core how far the emulator has come: not each time, but soon, and never less than before. */
export class Acks {
  readonly #send: (offset: number) => void;
  #sent = 0;
  #latest = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (offset: number) => void) {
    this.#send = send;
  }

  /** Everything before `offset` is parsed. An offset below an earlier one starts anew: a restarted core counts afresh. */
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
