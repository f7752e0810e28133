import type { Socket } from 'node:net';
import { encodeFrame } from '../protocol/frames.ts';
import type { ToCore } from '../protocol/messages.ts';

/** Limits of the messages that wait for a core that does not read. Beyond them, programs are paused. */
const MAX_MESSAGES = 4096;
const MAX_BYTES = 1024 * 1024;

interface Waiting {
  message: ToCore;
  readonly bytes: Uint8Array | undefined;
}

/**
 * Messages that a core has yet to receive. While it does not read (stopped, or busy), a terminal's messages about its length are joined:
 * the core reads the file, so the last length is enough. A message with a nonce is kept, because its time is a marker's.
 */
export class Outbox {
  readonly #socket: Socket;
  #waiting: Waiting[] = [];
  /** The last waiting message of each terminal. */
  readonly #last = new Map<string, Waiting>();
  #bytes = 0;

  constructor(socket: Socket, onRoom: () => void) {
    this.#socket = socket;
    socket.on('drain', () => {
      this.#flush();
      if (this.#waiting.length === 0) onRoom();
    });
  }

  /** False if the sender must wait for `onRoom`; the message is accepted anyway. */
  send(message: ToCore, bytes?: Uint8Array): boolean {
    if (this.#waiting.length === 0 && !this.#socket.writableNeedDrain) this.#socket.write(encodeFrame(message, bytes));
    else if (!this.#join(message, bytes)) this.#add(message, bytes);
    return this.#waiting.length < MAX_MESSAGES && this.#bytes < MAX_BYTES;
  }

  #join(message: ToCore, bytes: Uint8Array | undefined): boolean {
    if (message.type !== 'grew' || message.nonceAt.length > 0 || bytes?.length) return false;
    const last = this.#last.get(message.id);
    if (last?.message.type !== 'grew' || last.bytes?.length) return false;
    last.message = { ...last.message, end: message.end };
    return true;
  }

  #add(message: ToCore, bytes: Uint8Array | undefined): void {
    const waiting = { message, bytes: bytes && Uint8Array.from(bytes) }; // the chunk's buffer will be reused
    this.#waiting.push(waiting);
    this.#bytes += bytes?.length ?? 0;
    if ('id' in message) this.#last.set(message.id, waiting);
  }

  #flush(): void {
    let sent = 0;
    for (; sent < this.#waiting.length && !this.#socket.writableNeedDrain; sent += 1) {
      const { message, bytes } = this.#waiting[sent] as Waiting;
      this.#bytes -= bytes?.length ?? 0;
      this.#socket.write(encodeFrame(message, bytes));
      if ('id' in message && this.#last.get(message.id)?.message === message) this.#last.delete(message.id);
    }
    this.#waiting = this.#waiting.slice(sent);
  }
}
