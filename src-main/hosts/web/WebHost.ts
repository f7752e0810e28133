import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { WebSocketServer } from 'ws';
import { appRouter } from '../../api/appRouter.ts';
import type { ApiContext, HostControl } from '../../api/trpc.ts';
import type { PtyChatClient } from '../../core/PtyChatClient.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';
import { answer, answerRaw, pathOf, statusOfBroken } from '../http/answers.ts';
import { type GuardRules, judgeRequest, type Refusal } from '../http/guard.ts';
import { securityHeaders } from '../http/securityHeaders.ts';
import { closeStalled } from './closeStalled.ts';
import { FRONT_HEADER } from './coreAddress.ts';
import type { Keys } from './Keys.ts';
import { readBody, readCode } from './readCode.ts';
import { cachingOf, type StaticFile } from './staticFiles.ts';

const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Limit of WebSockets, which have all sent the token. */
const MAX_CONNECTIONS = 64;
/** Sockets that have not sent the token. A further one closes the socket that has been silent longest, so that they never use up all slots. */
const MAX_STRANGERS = 64;
/** Timeout of a request, so that an unfinished one does not occupy a socket. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Check interval for both timeouts; Node's own 30 s would let a slow client stay three times as long. */
const TIMEOUT_CHECK_MS = 1_000;

export interface WebHostOptions {
  core: PtyChatClient;
  keys: Keys;
  frontend: ApiContext['frontend'];
  /** Set for the command line's socket only. */
  control?: HostControl;
  /** See `ApiContext.restart`. */
  restart?: () => Promise<void>;
  /** Where the person's own tunnel serves this host; see `GuardRules`. */
  publicOrigin?: string | undefined;
  /** The built window; without it only the API is served. */
  files: ReadonlyMap<string, StaticFile> | null;
  /** Shorter in tests. */
  requestTimeoutMs?: number;
}

export type ListenOn = { port: number; host: '127.0.0.1' } | { path: string };

/**
 * HTTP and one WebSocket on loopback (or a Unix socket): the page, the exchange of a code, and the API. No client input makes it throw, and every
 * answer except a WebSocket's has the headers of `securityHeaders`.
 */
export class WebHost implements IDisposable {
  readonly #options: WebHostOptions;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: chooseProtocol,
  });
  readonly #open = new Set<Duplex>();
  /** Connections without the token, in the order of their last request. */
  readonly #strangers = new Set<Duplex>();
  readonly #trpc: { broadcastReconnectNotification: () => void };
  readonly #stalled = closeStalled(this.#sockets);
  #rules: GuardRules;

  constructor(options: WebHostOptions) {
    this.#options = options;
    this.#rules = { hosts: [], publicOrigin: options.publicOrigin, token: options.keys.token };
    this.#server = this.#createServer(options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
    this.#sockets.on('wsClientError', (_error, socket) => this.#refuseRaw(socket, 400));
    this.#trpc = applyWSSHandler({
      wss: this.#sockets,
      router: appRouter,
      createContext: ({ req }): ApiContext => ({
        core: options.core,
        clientId: randomUUID(),
        ...rightsOf(req, options),
      }),
      keepAlive: { enabled: true, pingMs: 30_000, pongWaitMs: 60_000 },
    });
  }

  /** Resolves with the port (0 on a Unix socket) once it listens; rejects with the system's error. */
  async listen(on: ListenOn): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(on, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    // From here on: a connection that could not be taken (no descriptors left) is that client's loss alone.
    this.#server.on('error', () => undefined);
    if ('path' in on) {
      this.#rules = { ...this.#rules, hosts: null };
      return 0;
    }
    const { port } = this.#server.address() as AddressInfo;
    this.#rules = { ...this.#rules, hosts: [`127.0.0.1:${port}`, `localhost:${port}`] };
    return port;
  }

  /** Open WebSockets. */
  get connections(): number {
    return this.#sockets.clients.size;
  }

  dispose(): void {
    this.#stalled.dispose();
    this.#trpc.broadcastReconnectNotification();
    for (const client of this.#sockets.clients) client.terminate();
    this.#sockets.close();
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #createServer(requestTimeoutMs: number): Server {
    const server = createServer({
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, requestTimeoutMs),
      requireHostHeader: false, // the guard checks it, and its refusal has our headers
    });
    server.on('request', (request, response) => this.#handle(request, response));
    server.on('checkContinue', (request, response) => this.#handle(request, response));
    server.on('checkExpectation', (_request, response) =>
      this.#refuse(response, { status: 417, reason: 'not expected' }),
    );
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    server.on('connection', (socket: Socket) => this.#track(socket));
    server.on('clientError', (error, socket) => this.#refuseRaw(socket, statusOfBroken(error)));
    return server;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(this.#headers())) response.setHeader(name, value);
    const path = pathOf(request.url);
    this.#asked(request.socket);
    const refusal = judgeRequest(request, this.#rules, false);
    if (refusal) answer(response, refusal);
    else if (request.method === 'POST' && path === '/api/exchange')
      detach('WebHost', this.#exchange(request, response));
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      answer(response, { status: 405, reason: 'method not allowed' });
    } else this.#file(path, request, response);
  }

  #file(path: string | null, request: IncomingMessage, response: ServerResponse): void {
    const file = path === null ? undefined : this.#options.files?.get(path);
    if (path === null || !file) {
      answer(response, { status: 404, reason: 'not found' });
      return;
    }
    const { type, bytes } = file;
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length, ...cachingOf(path) });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  /** `{code}` → `{token}`. JSON only: a form of another site would need a preflight, which is never answered. */
  async #exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers['content-type'] !== 'application/json')
      return answer(response, { status: 415, reason: 'JSON expected' });
    const body = await readBody(request);
    if (body === null) return answer(response, { status: 413, reason: 'no code is that long' });
    const token = this.#options.keys.exchange(readCode(body));
    if (token === null) return answer(response, { status: 401, reason: 'this code was used before or is too old' });
    const json = JSON.stringify({ token });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': json.length });
    response.end(json);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = pathOf(request.url);
    const refusal = judgeRequest(request, this.#rules, true);
    if (refusal) this.#refuseRaw(socket, refusal.status);
    else if (path !== '/trpc' && path !== '/') this.#refuseRaw(socket, 404);
    else if (this.connections >= MAX_CONNECTIONS) this.#refuseRaw(socket, 503);
    else {
      this.#strangers.delete(socket);
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#sockets.emit('connection', client, request));
    }
  }

  #refuse(response: ServerResponse, refusal: Refusal): void {
    for (const [name, value] of Object.entries(this.#headers())) response.setHeader(name, value);
    answer(response, refusal);
  }

  #refuseRaw(socket: Duplex, status: number): void {
    answerRaw(socket, status, this.#headers());
  }

  #track(socket: Socket): void {
    this.#open.add(socket);
    this.#strangers.add(socket);
    if (this.#strangers.size > MAX_STRANGERS) this.#closeOldest();
    socket.on('close', () => {
      this.#open.delete(socket);
      this.#strangers.delete(socket);
    });
    // A reset by the peer. Node handles it only while it speaks HTTP on this socket; after an upgrade it would end the process.
    socket.on('error', () => socket.destroy());
  }

  #closeOldest(): void {
    const [oldest] = this.#strangers;
    if (!oldest) return;
    this.#strangers.delete(oldest);
    oldest.destroy();
  }

  /** Marks it as the most recent one, so that it is closed last. */
  #asked(socket: Duplex): void {
    if (this.#strangers.delete(socket)) this.#strangers.add(socket);
  }

  #headers(): Record<string, string> {
    const { hosts, publicOrigin } = this.#rules;
    const sockets = (hosts ?? []).map((host) => `ws://${host}`);
    return securityHeaders(publicOrigin === undefined ? sockets : [...sockets, publicOrigin.replace('https:', 'wss:')]);
  }
}

/** A window that joined by the local socket, or another machine's core, says so, and then has a window's rights and no more than those. */
function rightsOf(
  { headers }: IncomingMessage,
  { frontend, control, restart }: WebHostOptions,
): Pick<ApiContext, 'frontend' | 'host' | 'restart'> {
  const front = headers[FRONT_HEADER];
  if ((front === 'electron' || front === 'machine') && frontend === 'cli') return { frontend: front };
  return { frontend, ...(control && { host: control }), ...(restart && { restart }) };
}

/** The token is a subprotocol of the request only; it is never echoed. */
function chooseProtocol(offered: Set<string>): string | false {
  return offered.has('hansard') ? 'hansard' : false;
}
