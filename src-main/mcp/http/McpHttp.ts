import { createMcpHandler, isLegacyRequest, type McpHttpHandler, type ServerEvent } from '@modelcontextprotocol/server';
import type { Clock } from '../../util/Clock.ts';
import { Disposables, type IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { Connection } from '../protocol/Connection.ts';
import { followListing } from '../resources/followListing.ts';
import type { makeServer, Served } from '../server/makeServer.ts';
import { HttpListens, isListen } from './HttpListens.ts';
import { HttpSessions, UNKNOWN_PLACE } from './HttpSessions.ts';

export interface McpHttpSpec {
  readonly served: Served;
  /** Creates the server; a conformance suite passes one with more tools. */
  readonly makeServer: typeof makeServer;
  readonly clock: Clock;
  readonly log: Log;
  /** `owner` of every caller: all of them have the same token. */
  owner(): string | null;
}

/** What both eras need. */
export interface HttpParts extends Omit<McpHttpSpec, 'log'> {
  /** The connection of the 2026 era, in which every request names its client. */
  readonly connection: Connection;
  readonly onError: (error: Error) => void;
}

/**
 * Streamable HTTP as a function from request to response, in both eras: sessions for 2025, a server per request for 2026. Authorization (address,
 * origin, token), sizes and timeouts are the HTTP host's job.
 */
export class McpHttp implements IDisposable {
  readonly #sessions: HttpSessions;
  readonly #listens: HttpListens;
  readonly #modern: McpHttpHandler;
  readonly #owned = new Disposables();

  constructor({ log, ...spec }: McpHttpSpec) {
    const onError = (error: Error): void => log('mcp_http_error', { reason: error.message });
    const connection = new Connection({
      id: 'http',
      preface: { token: '' },
      profile: 'standard',
      account: 'http', // requests of different clients cannot be distinguished
      owner: spec.owner,
      place: UNKNOWN_PLACE,
    });
    const parts: HttpParts = { ...spec, connection, onError };
    this.#sessions = this.#owned.add(new HttpSessions(parts));
    this.#listens = this.#owned.add(new HttpListens(parts));
    this.#modern = createMcpHandler(() => spec.makeServer(spec.served, connection, 'modern').server, {
      legacy: 'reject',
      onerror: onError,
    });
    this.#owned.add(followListing(spec.served.desk, () => this.announce({ kind: 'resources_list_changed' })));
  }

  /** Open sessions of the 2025 era. */
  get sessions(): number {
    return this.#sessions.count;
  }

  /** Open streams of the 2026 era. */
  get listens(): number {
    return this.#listens.count;
  }

  /** Publishes the event to every subscribed stream. */
  announce(event: ServerEvent): void {
    this.#listens.announce(event);
    if (event.kind === 'resources_list_changed') this.#sessions.announceResources();
  }

  /** `body` is the JSON of a POST, undefined otherwise. `request.signal` must abort when the response is over, read or not. */
  async handle(request: Request, body: unknown): Promise<Response> {
    if (await isLegacyRequest(request, body)) return this.#sessions.serve(request, body);
    if (isListen(body)) return this.#listens.serve(request, body);
    return this.#modern.fetch(request, { parsedBody: body });
  }

  dispose(): void {
    this.#owned.dispose();
    detach('McpHttp', this.#modern.close());
  }
}
