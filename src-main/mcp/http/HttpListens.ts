import { createMcpHandler, InMemoryServerEventBus, type ServerEvent } from '@modelcontextprotocol/server';
import { detach } from '../../util/strayErrors.ts';
import { CLIENT_INFO, type ClientInfo } from '../protocol/Connection.ts';
import { ResourceService } from '../resources/ResourceService.ts';
import type { HttpParts } from './McpHttp.ts';

interface Listen {
  readonly method: 'subscriptions/listen';
  readonly params?: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly notifications?: { readonly resourceSubscriptions?: unknown };
  };
}

/**
 * Subscriptions of the 2026 era. Each stream has its own watches and bus, so two callers that share an address get no event twice and none meant for
 * the other. Connections limit their number, since each stream needs one.
 */
export class HttpListens {
  readonly #parts: HttpParts;
  readonly #open = new Map<InMemoryServerEventBus, () => void>();

  constructor(parts: HttpParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Publishes to the streams that subscribed to this kind of change. */
  announce(event: ServerEvent): void {
    for (const bus of this.#open.keys()) bus.publish(event);
  }

  async serve(request: Request, body: Listen): Promise<Response> {
    const { served, connection, makeServer, onError } = this.#parts;
    const bus = new InMemoryServerEventBus(onError);
    const updated = (uri: string): void => bus.publish({ kind: 'resource_updated', uri });
    const watches = new ResourceService(served, { updated });
    const handler = createMcpHandler(() => makeServer(served, connection, 'modern').server, {
      legacy: 'reject',
      bus,
      onerror: onError,
    });
    const end = (): void => {
      this.#open.delete(bus);
      watches.dispose();
      detach('HttpListens', handler.close());
    };
    this.#open.set(bus, end);
    const caller = connection.callerAs(body.params?._meta?.[CLIENT_INFO] as ClientInfo | undefined);
    watches.listen(uncheckedUris(body), caller); // before the stream opens, so that no change is missed
    const response = await handler.fetch(request, { parsedBody: body });
    if (request.signal.aborted || !isStream(response)) end();
    else request.signal.addEventListener('abort', end, { once: true });
    return response;
  }

  dispose(): void {
    for (const end of [...this.#open.values()]) end();
  }
}

export function isListen(body: unknown): body is Listen {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen';
}

/** The URIs of a request that the SDK has not validated yet. */
function uncheckedUris({ params }: Listen): string[] {
  const given = params?.notifications?.resourceSubscriptions;
  return Array.isArray(given) ? given.filter((uri) => typeof uri === 'string') : [];
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}
