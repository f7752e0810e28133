import { createConnection, type Socket } from 'node:net';
import type { IDisposable } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import { encodeFrame, FrameReader } from '../protocol/frames.ts';
import { isMessage, type ToCore, type ToHost } from '../protocol/messages.ts';

export interface Received {
  readonly message: ToCore;
  readonly bytes: Uint8Array;
}

/** A core's connection to the PTY host. */
export class HostLink implements IDisposable {
  readonly #socket: Socket;
  readonly #received = new Emitter<Received>();
  readonly #closed = new Emitter<void>();
  #isCorked = false;
  #isUp = true;
  readonly onReceived = this.#received.on;
  /** Fires when the host is gone, or was left. */
  readonly onClosed = this.#closed.on;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new FrameReader();
    socket.on('error', () => undefined); // 'close' follows
    socket.on('close', () => this.#end());
    socket.on('data', (data) => {
      try {
        for (const { header, bytes } of reader.push(data))
          if (isMessage(header)) this.#received.fire({ message: header as ToCore, bytes });
      } catch {
        socket.destroy(); // the listener at this path is not a PTY host
      }
    });
  }

  /** Rejects if no process listens at `path`. */
  static connect(path: string): Promise<HostLink> {
    return new Promise((resolve, reject) => {
      const socket = createConnection(path);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HostLink(socket));
      });
    });
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Sends the messages of one turn in one system call: a killed core has sent all or none of them. */
  send(message: ToHost, bytes?: Uint8Array): void {
    if (!this.#isUp) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      queueMicrotask(() => {
        this.#isCorked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(encodeFrame(message, bytes));
  }

  /** Leaves the host after the kernel has all sent messages. */
  dispose(): void {
    this.#socket.end();
    this.#end();
  }

  /** Leaves a host that does not read its messages. */
  abandon(): void {
    this.#socket.destroy();
    this.#end();
  }

  #end(): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#closed.fire();
    this.#received.dispose();
    this.#closed.dispose();
  }
}
