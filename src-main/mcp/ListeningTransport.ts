import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** What a request says beside its parameters, who asks among it. */
type Meta = Readonly<Record<string, unknown>> | undefined;
type OnMessage = NonNullable<Transport['onmessage']>;

/**
 * Passes everything on and keeps book of what is subscribed: in the 2026 era the SDK serves `subscriptions/listen` itself and tells nobody,
 * while we must not watch what nobody hears.
 */
export class ListeningTransport implements Transport {
  readonly #inner: StdioServerTransport;
  readonly #uris = new Map<string, readonly string[]>();
  readonly #changed: (uris: readonly string[], meta: Meta) => void;
  #meta: Meta;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: OnMessage;

  constructor(inner: StdioServerTransport, changed: (uris: readonly string[], meta: Meta) => void) {
    this.#inner = inner;
    this.#changed = changed;
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => {
      this.onmessage?.(message);
      this.#note(message);
    };
    await this.#inner.start();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
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
