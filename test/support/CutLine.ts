import { connect, createServer, type Server, type Socket } from 'node:net';

/** Which way bytes go. */
export type Way = 'up' | 'down';

/**
 * A way to a served core that can be cut: every connection breaks off and no new one comes about until it is mended.
 * The core knows itself by its own address only, so the port in the browser's headers is put right on the way.
 */
export class CutLine {
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #isCut = false;
  #port = 0;
  #next: { way: Way; bytes: number } | null = null;

  /** Resolves when it leads to the core at `url`. */
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

  /** `url` of the core, by this way. */
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

  /** Cuts once, in the middle of whatever it is: the next `bytes` bytes that go this way are the last. It mends by itself. */
  cutAfter(way: Way, bytes: number): void {
    this.#next = { way, bytes };
  }

  /** Whether the cut that was asked for is still to come. */
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
      // One side's end is the other's, however it came about.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    const [shown, real] = [`127.0.0.1:${this.#port}`, `127.0.0.1:${target}`];
    from.on('data', (bytes: Buffer) => {
      const readdressed = Buffer.from(bytes.toString('latin1').replaceAll(shown, real), 'latin1');
      this.#pass(readdressed, 'up', to);
    });
    to.on('data', (bytes: Buffer) => this.#pass(bytes, 'down', from));
  }

  /** A slow reader is waited for no more than a buffer allows: what goes through here is small. */
  #pass(bytes: Buffer, way: Way, on: Socket): void {
    const next = this.#next?.way === way ? this.#next : null;
    if (!next || next.bytes >= bytes.length) {
      if (next) next.bytes -= bytes.length;
      on.write(bytes);
      return;
    }
    this.#next = null;
    // The other end gets the part, and then the end of the line.
    on.end(bytes.subarray(0, next.bytes), () => {
      for (const socket of this.#sockets) socket.destroy();
    });
  }
}
