import { asFields, claimedVersion, type Fields, type Message, type MessageId } from './messages.ts';

/** Keys in a message of the stateless era that identify the sender and protocol; needed to ask in the client's name. */
const ENVELOPE = ['protocolVersion', 'clientInfo', 'clientCapabilities'].map((key) => `io.modelcontextprotocol/${key}`);

/** The state that introduces the client to an app that started later. Fed with every message of the client. */
export class ClientMemory {
  readonly #resources = new Set<string>();
  #handshake: Fields | null = null;
  #envelope: Fields | null = null;
  #isInitialized = false;
  #logLevel: unknown = null;

  note(message: Message): void {
    if (message.kind === 'response') return;
    const { method, params } = message;
    if (claimedVersion(message) !== null) {
      const meta = asFields(params._meta) ?? {};
      this.#envelope = Object.fromEntries(ENVELOPE.filter((key) => key in meta).map((key) => [key, meta[key]]));
    } else if (method === 'initialize') {
      this.#handshake = params;
      this.#isInitialized = false;
    }
    if (method === 'notifications/initialized') this.#isInitialized = true;
    else if (method === 'logging/setLevel') this.#logLevel = params.level;
    else if (typeof params.uri === 'string') this.#noteResource(method, params.uri);
  }

  get hasHandshake(): boolean {
    return this.#handshake !== null;
  }

  /** A client that completed the handshake belongs to that era, whatever it probed before. */
  get isStateless(): boolean {
    return this.#handshake === null && this.#envelope !== null;
  }

  /** Whether the client has finished the handshake and may get notifications it did not ask for. */
  get isInitialized(): boolean {
    return this.#isInitialized;
  }

  /** Subscribed resources of the era with a handshake. */
  get resources(): readonly string[] {
    return [...this.#resources];
  }

  /** The client's own name; '' while unknown. */
  get name(): string {
    const info = asFields(this.#handshake?.clientInfo ?? this.#envelope?.['io.modelcontextprotocol/clientInfo']);
    return typeof info?.name === 'string' ? info.name : '';
  }

  /** The first request to an app. Any answer proves that the app has accepted us. */
  greeting(id: MessageId): object {
    if (this.#handshake) return request(id, 'initialize', this.#handshake);
    return this.#envelope ? request(id, 'server/discover', { _meta: this.#envelope }) : request(id, 'ping', {});
  }

  /** The messages that a new app needs before the client's next call. */
  introduction(nextId: () => MessageId): object[] {
    return [
      ...(this.#isInitialized ? [{ jsonrpc: '2.0', method: 'notifications/initialized' }] : []),
      ...(this.#logLevel === null ? [] : [request(nextId(), 'logging/setLevel', { level: this.#logLevel })]),
      ...this.resources.map((uri) => request(nextId(), 'resources/subscribe', { uri })),
    ];
  }

  #noteResource(method: string, uri: string): void {
    if (method === 'resources/subscribe') this.#resources.add(uri);
    else if (method === 'resources/unsubscribe') this.#resources.delete(uri);
  }
}

function request(id: MessageId, method: string, params: Fields): object {
  return { jsonrpc: '2.0', id, method, params };
}
