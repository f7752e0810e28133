import { connect, createServer, type Server, type Socket } from 'node:net';

export interface ProxyOptions {
  /** The port that connections go to. */
  port: number;
  /** Delay each way; a round trip takes twice as long. */
  delayMs?: number;
  /** Bandwidth each way and per connection. */
  bytesPerSecond?: number;
  /** Average number of cuts per second of a connection; 0.05 is the 5 % of a bad line. */
  cutsPerSecond?: number;
  /** Returns a number from 0 to 1; a seeded function makes a run repeatable. */
  random?: () => number;
}

/** Bytes in transit before the sender has to wait. */
const MAX_ON_THE_WAY = 256 * 1024;
const PIECE_BYTES = 4 * 1024;
const CUT_EVERY_MS = 100;

/** A bad line in front of a port of this machine. The caller disposes it. */
export async function startProxy(options: ProxyOptions): Promise<BadLine> {
  const proxy = new BadLine(options);
  await proxy.listen();
  return proxy;
}

export class BadLine {
  #options: ProxyOptions;
  readonly #pairs = new Set<Pair>();
  readonly #server: Server = createServer((from) => this.#join(from));
  #cuts: NodeJS.Timeout | null = null;
  #state: 'open' | 'down' | 'frozen' = 'open';
  #bytesDown = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#cuts = setInterval(() => {
      const { cutsPerSecond = 0, random = Math.random } = this.#options;
      const chance = (cutsPerSecond * CUT_EVERY_MS) / 1000;
      for (const pair of this.#pairs) if (random() < chance) pair.cut();
    }, CUT_EVERY_MS);
  }

  /** Changes the line for new connections; the rate of cuts changes at once. */
  become(options: Omit<ProxyOptions, 'port'>): void {
    this.#options = { port: this.#options.port, ...options };
  }

  /** Bytes received from the target, over all connections. */
  get bytesDown(): number {
    return this.#bytesDown;
  }

  /** The proxy's own port on 127.0.0.1. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Cuts every connection; new ones work. */
  cut(): void {
    for (const pair of this.#pairs) pair.cut();
  }

  /** Cuts every connection and refuses new ones, until `repair`. */
  goDown(): void {
    this.#state = 'down';
    this.cut();
  }

  /** Stops all data without a notice to either end, until `repair`. The proxy accepts new connections but forwards nothing. */
  freeze(): void {
    this.#state = 'frozen';
    for (const pair of this.#pairs) pair.freeze();
  }

  /** Lets new connections work. Cuts frozen ones and loses their bytes, as after a machine's sleep. */
  repair(): void {
    if (this.#state === 'frozen') this.cut();
    this.#state = 'open';
  }

  /** Lets new connections work. Frozen ones stay frozen without a notice, as for a machine that wakes up in another network. */
  reroute(): void {
    this.#state = 'open';
  }

  async dispose(): Promise<void> {
    if (this.#cuts) clearInterval(this.#cuts);
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(from: Socket): void {
    if (this.#state === 'down') {
      from.destroy();
      return;
    }
    const to = connect(this.#options.port, '127.0.0.1');
    to.on('data', (bytes: Buffer) => {
      this.#bytesDown += bytes.length;
    });
    const pair = new Pair(from, to, this.#options);
    this.#pairs.add(pair);
    pair.onEnd = () => this.#pairs.delete(pair);
    if (this.#state === 'frozen') pair.freeze();
  }
}

/** Both ways of one connection. */
class Pair {
  onEnd: () => unknown = () => undefined;
  readonly #sockets: readonly [Socket, Socket];
  readonly #lines: readonly [SlowLine, SlowLine];

  constructor(from: Socket, to: Socket, options: ProxyOptions) {
    this.#sockets = [from, to];
    this.#lines = [new SlowLine(from, to, options), new SlowLine(to, from, options)];
    for (const socket of this.#sockets) {
      socket.setNoDelay(true);
      socket.on('error', () => this.cut());
    }
  }

  cut(): void {
    for (const line of this.#lines) line.stop();
    for (const socket of this.#sockets) socket.destroy();
    this.onEnd();
  }

  freeze(): void {
    for (const line of this.#lines) line.stop();
  }
}

/** One direction: each piece arrives after the delay and after the transmission of all earlier pieces. */
class SlowLine {
  readonly #from: Socket;
  readonly #to: Socket;
  /** Work in transit. Every timer runs the first item, so that the order does not depend on the timers. */
  readonly #queue: (() => void)[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #delayMs: number;
  readonly #bytesPerMs: number;
  #onTheWay = 0;
  #freeMs = 0;
  #lastMs = 0;
  #isStopped = false;

  constructor(from: Socket, to: Socket, { delayMs = 0, bytesPerSecond = Number.POSITIVE_INFINITY }: ProxyOptions) {
    this.#from = from;
    this.#to = to;
    this.#delayMs = delayMs;
    this.#bytesPerMs = bytesPerSecond / 1000;
    from.on('data', (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.#send(bytes.subarray(at, at + PIECE_BYTES));
    });
    from.on('end', () => this.#later(() => to.end()));
    to.on('drain', () => this.#resume());
  }

  /** Drops everything in transit and stops reading. */
  stop(): void {
    this.#isStopped = true;
    this.#from.pause();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#queue.length = 0;
  }

  #send(bytes: Buffer): void {
    if (this.#isStopped) return;
    this.#onTheWay += bytes.length;
    if (this.#onTheWay > MAX_ON_THE_WAY) this.#from.pause();
    this.#freeMs = Math.max(this.#freeMs, performance.now()) + bytes.length / this.#bytesPerMs;
    this.#later(() => {
      this.#onTheWay -= bytes.length;
      if (this.#to.write(bytes)) this.#resume();
      else this.#from.pause();
    });
  }

  #resume(): void {
    if (!this.#isStopped && this.#onTheWay < MAX_ON_THE_WAY) this.#from.resume();
  }

  /** Runs `act` in the order of the calls. Without delay and limit it runs at once, so that the proxy adds no turn of the event loop. */
  #later(act: () => void): void {
    const now = performance.now();
    const dueMs = Math.max(this.#lastMs, this.#freeMs + this.#delayMs, now);
    this.#lastMs = dueMs;
    if (dueMs <= now && this.#queue.length === 0) {
      act();
      return;
    }
    this.#queue.push(act);
    const arrive = (): void => {
      this.#timers.delete(timer);
      this.#queue.shift()?.();
    };
    const timer = setTimeout(arrive, Math.max(0, dueMs - now));
    this.#timers.add(timer);
  }
}
