import { randomBytes } from 'node:crypto';
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { detach } from '../../util/strayErrors.ts';
import { Connection } from '../protocol/Connection.ts';
import { httpRefusal } from './httpRefusal.ts';
import type { HttpParts } from './McpHttp.ts';

/** More than the limit of connections: a client may close its connections between two calls. */
const MAX_SESSIONS = 64;
const SESSION_ID_BYTES = 16;
const SESSION_ID = 'mcp-session-id';

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests and streams in progress. */
  busy: number;
  usedMs: number;
}

/**
 * Sessions of the 2025 era, from `initialize` to DELETE. Some clients leave without DELETE, so the session unused for longest makes room for a new
 * one.
 */
export class HttpSessions {
  readonly #parts: HttpParts;
  readonly #open = new Map<string, Session>();

  constructor(parts: HttpParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#open.size;
  }

  announceResources(): void {
    for (const { server } of this.#open.values()) void server.sendResourceListChanged().catch(() => undefined); // the client is gone
  }

  async serve(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get(SESSION_ID);
    if (id === null) {
      return isInitializeRequest(body)
        ? this.#begin(request, body)
        : httpRefusal(400, `no session: begin with initialize, then send ${SESSION_ID} with each request`);
    }
    const session = this.#open.get(id);
    return session ? this.#pass(session, request, body) : httpRefusal(404, 'Session not found', -32001);
  }

  dispose(): void {
    for (const { transport } of [...this.#open.values()]) detach('HttpSessions', transport.close());
  }

  async #begin(request: Request, body: unknown): Promise<Response> {
    if (!this.#makeRoom()) return httpRefusal(503, `${MAX_SESSIONS} sessions are in use`);
    const { served, connection, makeServer, onError, clock, owner } = this.#parts;
    const id = randomBytes(SESSION_ID_BYTES).toString('hex');
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => void this.#open.set(id, session),
    });
    const account = served.desk.gate.accounts.open(null);
    const { preface, profile } = connection;
    const own = new Connection({ id, preface, profile, account: account.id, owner, place: UNKNOWN_PLACE });
    const { server } = makeServer(served, own, 'legacy');
    const session: Session = { server, transport, busy: 0, usedMs: clock.monotonicMs() };
    transport.onclose = () => {
      account.dispose();
      this.#open.delete(id);
    };
    transport.onerror = onError;
    await server.connect(transport);
    const response = await this.#pass(session, request, body);
    if (!this.#open.has(id)) await transport.close(); // the request was refused
    return response;
  }

  #pass(session: Session, request: Request, body: unknown): Promise<Response> {
    session.busy += 1;
    const done = (): void => {
      session.busy -= 1;
      session.usedMs = this.#parts.clock.monotonicMs();
    };
    request.signal.addEventListener('abort', done, { once: true });
    return session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
  }

  #makeRoom(): boolean {
    if (this.#open.size < MAX_SESSIONS) return true;
    const [longest] = [...this.#open.values()].filter(({ busy }) => busy === 0).sort((a, b) => a.usedMs - b.usedMs);
    if (!longest) return false;
    detach('HttpSessions', longest.transport.close());
    return true;
  }
}

/** A caller without a known process counts as one from outside. */
export const UNKNOWN_PLACE = { terminalId: null, isVerified: false } as const;
