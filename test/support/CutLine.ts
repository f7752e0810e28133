import { connect, createServer, type Server, type Socket } from 'node:net';

/** Direction of bytes: `up` to the core, `down` from it. */
export type Way = 'up' | 'down';

/**
 * A proxy to a served core that can cut the line: `cut` breaks all connections and refuses new ones until `repair`.
 * The core accepts only its own address, so the proxy corrects the port in the browser's headers. Each way takes `delayMs`.
 */
export class CutLine {
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #isCut = false;
  #port = 0;
  #next: { way: Way; bytes: number } | null = null;
  readonly #delayMs: number;

  constructor(delayMs = 0) {
    this.#delayMs = delayMs;
  }

  /** Listens on a free port and forwards to the core at `url`. */
  async to(url: string): Promise<void> {
    const target = Number(new URL(url).port);
    const server = createServer((from) => this.#join(from, target));
    this.#server = server;
    this.#port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  }

  /** The core's `url` with the proxy's port. */
  url(url: string): string {
    const own = new URL(url);
    own.port = String(this.#port);
    return own.href;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  repair(): void {
    this.#isCut = false;
  }

  /** Breaks all connections once, after the next `bytes` bytes in direction `way`, even in the middle of a message. New connections are accepted. */
  cutAfter(way: Way, bytes: number): void {
    this.#next = { way, bytes };
  }

  /** Whether the cut of `cutAfter` has not happened yet. */
  get isArmed(): boolean {
    return this.#next !== null;
  }

  async dispose(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  #join(from: Socket, target: number): void {
    if (this.#isCut) {
      from.destroy();
      return;
    }
    const to = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#sockets.add(socket);
      // When one side ends or fails, the other ends too.
      socket.on('error', () => this.#later(() => other.destroy()));
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#later(() => other.destroy());
      });
    }
    const [shown, real] = [`127.0.0.1:${this.#port}`, `127.0.0.1:${target}`];
    from.on('data', (bytes: Buffer) => {
      const readdressed = Buffer.from(bytes.toString('latin1').replaceAll(shown, real), 'latin1');
      this.#later(() => this.#pass(readdressed, 'up', to));
    });
    to.on('data', (bytes: Buffer) => this.#later(() => this.#pass(bytes, 'down', from)));
  }

  /** Runs at once without a delay, else in order. */
  #later(run: () => void): void {
    if (this.#delayMs > 0) setTimeout(run, this.#delayMs);
    else run();
  }

  /** Ignores back-pressure: the messages of these tests are small. */
  #pass(bytes: Buffer, way: Way, on: Socket): void {
    const next = this.#next?.way === way ? this.#next : null;
    if (!next || next.bytes >= bytes.length) {
      if (next) next.bytes -= bytes.length;
      on.write(bytes);
      return;
    }
    this.#next = null;
    // The receiver gets the part, then the connection ends.
    on.end(bytes.subarray(0, next.bytes), () => {
      for (const socket of this.#sockets) socket.destroy();
    });
  }
}
