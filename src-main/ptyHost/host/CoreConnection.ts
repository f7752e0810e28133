import type { Socket } from 'node:net';
import type { Clock } from '../../util/Clock.ts';
import type { Log } from '../../util/Log.ts';
import { encodeFrame, FrameReader, MAX_FRAME_BYTES } from '../protocol/frames.ts';
import { isMessage, type ToCore, type ToHost } from '../protocol/messages.ts';
import { Outbox } from './Outbox.ts';

type Hello = Extract<ToHost, { type: 'hello' }>;

/** A hello has a few hundred bytes, and a core sends it at once. */
const MAX_HELLO_BYTES = 4096;
const HELLO_WITHIN_MS = 5_000;

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the refusal, or null if this is now the core. */
  hello(connection: CoreConnection, hello: Hello): ToCore | null;
  take(message: Exclude<ToHost, Hello>, bytes: Uint8Array): void;
  closed(connection: CoreConnection): void;
  /** Call this when a core that did not read does so again. */
  hasRoom(): void;
}

/** One connection to the host. Before the host admits it, it accepts only a hello of bounded size and time. */
export class CoreConnection {
  readonly #socket: Socket;
  readonly #deps: ConnectionDeps;
  readonly #reader = new FrameReader(MAX_HELLO_BYTES);
  readonly #outbox: Outbox;
  #state: 'new' | 'admitted' | 'refused' = 'new';

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#outbox = new Outbox(socket, () => deps.hasRoom());
    const late = deps.clock.after(HELLO_WITHIN_MS, () => {
      if (this.#state !== 'admitted') socket.destroy();
    });
    socket.on('error', () => undefined); // 'close' follows
    socket.on('close', () => {
      late.dispose();
      deps.closed(this);
    });
    socket.on('data', (data) => {
      try {
        for (const { header, bytes } of this.#reader.push(data)) this.#take(header, bytes);
      } catch (error) {
        deps.log('pty_host_bad_message', { reason: String(error) });
        this.#refuse({ type: 'denied', reason: 'a message is not of this protocol' });
      }
    });
  }

  /** False if the core does not read, see `Outbox.send`. */
  tell(message: ToCore, bytes?: Uint8Array): boolean {
    return this.#outbox.send(message, bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(header: unknown, bytes: Uint8Array): void {
    if (this.#state === 'refused') return;
    if (!isMessage(header)) throw new Error('a message without a type');
    const message = header as ToHost;
    if (message.type === 'hello') return this.#greet(message);
    if (this.#state !== 'admitted') throw new Error(`"${message.type}" before a hello`);
    this.#deps.take(message, bytes);
  }

  #greet(hello: Hello): void {
    if (this.#state !== 'new') throw new Error('a second hello');
    const refusal = this.#deps.hello(this, hello);
    if (refusal) return this.#refuse(refusal);
    this.#state = 'admitted';
    this.#reader.maxBytes = MAX_FRAME_BYTES;
  }

  #refuse(refusal: ToCore): void {
    if (this.#state === 'refused') return;
    this.#state = 'refused';
    this.#socket.end(encodeFrame(refusal), () => this.#socket.destroy());
  }
}
