import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { McpHttp } from '../../mcp/http/McpHttp.ts';
import type { ConnectionLimit } from '../../mcp/server/ConnectionLimit.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { isSameSecret } from '../../util/isSameSecret.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { answerRaw, pathOf, statusOfBroken } from '../http/answers.ts';
import { type GuardRules, judgeRequest } from '../http/guard.ts';
import { securityHeaders } from '../http/securityHeaders.ts';
import { readJsonBody } from './readJsonBody.ts';
import { sendResponse } from './sendResponse.ts';

const LOOPBACK = '127.0.0.1';
const PATH = '/mcp';
/** As in the web host: an unfinished request after this time only occupies a connection. */
const REQUEST_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 1_000;

export interface DoorSpec {
  readonly http: McpHttp;
  /** Returns the current token. The person may replace it while the server runs. */
  token(): string;
  /** Fires when the token was replaced. */
  readonly onRotated?: () => void;
  readonly seats: ConnectionLimit;
  readonly log: Log;
  /** Shorter in tests. */
  readonly requestTimeoutMs?: number;
}

interface Refused {
  readonly status: number;
  readonly reason: string;
  /** The JSON-RPC code. */
  readonly code?: number;
}

/**
 * Serves MCP clients over HTTP on 127.0.0.1 only. It accepts requests with the token, but not from a page of another site (exact Host, exact Origin or no
 * Origin, no CORS). It checks Host, Origin, token, method and path, in this order. It does not throw for anything that a client sends.
 */
export class McpHttpGuard implements IDisposable {
  readonly #spec: DoorSpec;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #rules: GuardRules;
  /** The token that open connections used. */
  #token: string;

  constructor(spec: DoorSpec) {
    this.#spec = spec;
    this.#token = spec.token();
    this.#rules = { hosts: [], token: this.#token };
    const timeout = spec.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
    this.#server = createServer({
      headersTimeout: timeout,
      requestTimeout: timeout,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, timeout),
      requireHostHeader: false, // the guard checks it
    });
    this.#server.on('connection', (socket: Socket) => this.#seat(socket));
    this.#server.on('request', (request, response) => detach('McpHttpGuard', this.#take(request, response)));
    this.#server.on('checkContinue', (request, response) =>
      detach('McpHttpGuard', this.#take(request, response, true)),
    );
    this.#server.on('clientError', (error, socket) => answerRaw(socket, statusOfBroken(error), securityHeaders([])));
  }

  /** Resolves with the address for clients; rejects with the system's error. `port` 0 is any free one. */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => this.#spec.log('mcp_http_error', { reason: error.message })); // affects one client only
    const own = (this.#server.address() as AddressInfo).port;
    this.#rules = { ...this.#rules, hosts: [`${LOOPBACK}:${own}`, `localhost:${own}`] };
    return `http://${LOOPBACK}:${own}${PATH}`;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Ends all connections and sessions at once. */
  dispose(): void {
    this.#server.close();
    this.#spec.http.dispose();
    for (const socket of this.#sockets) socket.destroy();
  }

  #seat(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const seat = this.#spec.seats.take();
    if (!seat) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      seat.dispose();
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse, waitsForWord = false): Promise<void> {
    for (const [name, value] of Object.entries(securityHeaders([]))) response.setHeader(name, value);
    this.#takeToken(request.socket);
    const refused = this.#judge(request);
    if (refused) return refuse(response, refused);
    if (waitsForWord) response.writeContinue();
    try {
      await this.#answer(request, response);
    } catch (error) {
      this.#spec.log('mcp_http_error', { reason: error instanceof Error ? error.message : String(error) });
      if (response.headersSent) response.destroy();
      else refuse(response, { status: 500, reason: 'Internal error', code: -32603 });
    }
  }

  /** Closes connections that used a replaced token, except the one that presents the new token. */
  #takeToken(asking: Socket): void {
    const token = this.#spec.token();
    if (isSameSecret(token, this.#token)) return;
    this.#token = token;
    this.#rules = { ...this.#rules, token };
    for (const socket of this.#sockets) if (socket !== asking) socket.destroy();
    this.#spec.onRotated?.();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const over = new AbortController();
    response.once('close', () => over.abort());
    const body = request.method === 'POST' ? await readJsonBody(request) : { ok: true as const, json: undefined };
    if (!body.ok) return body.status === null ? void response.destroy() : refuse(response, body);
    const { method = 'GET' } = request;
    const asked = new Request(`http://${LOOPBACK}${PATH}`, {
      method,
      headers: headersOf(request),
      signal: over.signal,
    });
    await sendResponse(await this.#spec.http.handle(asked, body.json), response);
  }

  #judge(request: IncomingMessage): Refused | null {
    const stranger = judgeRequest(request, this.#rules, true);
    if (stranger) return stranger;
    const { method = '' } = request;
    if (!METHODS.includes(method)) return { status: 405, reason: 'method not allowed' };
    return pathOf(request.url) === PATH ? null : { status: 404, reason: `there is nothing but ${PATH}` };
  }
}

const METHODS = ['GET', 'POST', 'DELETE'];

/** Refuses with a JSON-RPC error and closes the connection, because data after a refused request is not worth reading. */
function refuse(response: ServerResponse, { status, reason, code = -32000 }: Refused): void {
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (status === 405) response.setHeader('Allow', METHODS.join(', '));
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message: reason }, id: null }));
}

function headersOf({ headers }: IncomingMessage): Headers {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) copy.append(name, one);
  }
  copy.delete('authorization'); // handlers do not need it
  return copy;
}
