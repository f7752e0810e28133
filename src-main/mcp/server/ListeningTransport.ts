import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { type CutLine, LineCutter } from '../protocol/LineCutter.ts';
import { TurnWriter } from '../protocol/TurnWriter.ts';

/**
 * Limit of unread answers. They count as unread until their whole piece is read. Far above any single answer, and a bound for a client that does not
 * read.
 */
const MAX_UNREAD_CHARS = 64 * 1024 * 1024;

/** The `_meta` of a request, which includes the sender. */
type Meta = Readonly<Record<string, unknown>> | undefined;
type OnMessage = NonNullable<Transport['onmessage']>;

/**
 * Messages on a socket, one per line; the answers of one turn are sent together. The SDK validates each message against its schemas, so it is not
 * validated here again. A line that is too long ends the connection, and so does a client that keeps asking without reading.
 * Tracks the subscriptions: in the 2026 era the SDK serves `subscriptions/listen` itself without notifying us, and we must not watch resources
 * without a subscriber.
 */
export class ListeningTransport implements Transport {
  readonly #socket: Duplex;
  readonly #lines = new LineCutter();
  readonly #out: TurnWriter<string>;
  readonly #uris = new Map<string, readonly string[]>();
  readonly #changed: (uris: readonly string[], meta: Meta) => void;
  #meta: Meta;
  #isClosed = false;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: OnMessage;

  constructor(socket: Duplex, changed: (uris: readonly string[], meta: Meta) => void) {
    this.#socket = socket;
    this.#changed = changed;
    this.#out = new TurnWriter((lines) => {
      if (socket.writable) socket.write(lines.join(''));
      if (socket.writableLength <= MAX_UNREAD_CHARS) return;
      this.onerror?.(new Error('the client does not read its answers'));
      socket.destroy();
    });
  }

  async start(): Promise<void> {
    this.#socket.on('data', this.#take);
    for (const event of ['end', 'close']) this.#socket.on(event, this.#close);
    if (this.#socket.readableEnded || this.#socket.destroyed) setImmediate(this.#close);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('the connection is closed');
    this.#out.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#close();
  }

  readonly #close = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.off('data', this.#take);
    for (const event of ['end', 'close']) this.#socket.off(event, this.#close);
    this.#socket.pause();
    this.onclose?.();
  };

  readonly #take = (chunk: Uint8Array): void => {
    for (const line of this.#lines.feed(chunk)) {
      try {
        this.#handleLine(line);
      } catch (thrown) {
        this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    }
  };

  #handleLine(line: CutLine): void {
    if (line.type === 'too-long') {
      this.#close();
      throw new Error('a line was too long');
    }
    const message = parsed(line.bytes);
    if (message === undefined) return;
    this.onmessage?.(message);
    this.#note(message);
  }

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const params = message.params as Readonly<Record<string, unknown>> | undefined;
    if (message.method === 'subscriptions/listen' && 'id' in message) {
      this.#meta = params?._meta as Meta;
      const filter = params?.notifications as { resourceSubscriptions?: unknown } | undefined;
      const uris = Array.isArray(filter?.resourceSubscriptions) ? filter.resourceSubscriptions : [];
      this.#uris.set(
        String(message.id),
        uris.filter((uri) => typeof uri === 'string'),
      );
    } else if (message.method === 'notifications/cancelled') {
      if (!this.#uris.delete(String(params?.requestId))) return;
    } else return;
    this.#changed([...new Set([...this.#uris.values()].flat())], this.#meta);
  }
}

/** Undefined for invalid JSON, which is skipped: the bridge has already reported it to its client, and no other sender knows the token. */
function parsed(line: Buffer): JSONRPCMessage | undefined {
  try {
    return JSON.parse(line.toString()) as JSONRPCMessage;
  } catch {
    return undefined; // said above
  }
}
