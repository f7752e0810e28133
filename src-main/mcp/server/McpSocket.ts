import { randomBytes } from 'node:crypto';
import type { Server as NetServer, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Server } from '@modelcontextprotocol/server';
import { MAX_PREFACE_BYTES, type McpCaller, McpPreface, PREFACE_MS } from '../../contract/mcp/mcp.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { isSameSecret } from '../../util/isSameSecret.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { clientPrograms } from '../access/clientProgram.ts';
import { processOwner } from '../access/lastingOwner.ts';
import { CLIENT_INFO, type ClientInfo, Connection } from '../protocol/Connection.ts';
import { followListing } from '../resources/followListing.ts';
import type { ConnectionLimit } from './ConnectionLimit.ts';
import { ListeningTransport } from './ListeningTransport.ts';
import type { FoundClient } from './McpWriteService.ts';
import type { Served } from './makeServer.ts';

const MAX_SUBSCRIPTIONS = 64;
const LF = 0x0a;

export interface SocketSpec extends Served {
  readonly token: string;
  readonly seats: ConnectionLimit;
  readonly log: Log;
}

/**
 * The socket for MCP clients: each connection begins with a preface, then speaks MCP, one message per line. A connection without the token is closed
 * silently. The host calls `listen`, because it makes the path safe; `dispose` ends every connection.
 */
export class McpSocket implements IDisposable {
  readonly server: NetServer;
  readonly #spec: SocketSpec;
  readonly #sockets = new Set<Socket>();
  /** Notifiers, one per client, of changed lists; the check for a change is shared. */
  readonly #tellListing = new Set<() => void>();
  /** Active only while a client is connected. */
  #listing: IDisposable | null = null;

  constructor(spec: SocketSpec) {
    this.#spec = spec;
    this.server = createServer((socket) => detach('McpSocket', this.#welcome(socket)));
  }

  dispose(): void {
    this.#listing?.dispose();
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #welcome(socket: Socket): Promise<void> {
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
    socket.on('error', (error) => this.#spec.log('mcp_socket_error', { reason: error.message }));
    const preface = await readPreface(socket, this.#spec.token);
    if (!preface) {
      this.#spec.log('mcp_refused', { reason: 'preface' });
      socket.destroy();
      return;
    }
    const [client, protocol] = await Promise.all([
      this.#spec.clients.findClient(descriptorOf(socket), preface.bridge_pid ?? null),
      loadProtocol(),
    ]).catch((error: unknown) => {
      socket.destroy();
      throw error;
    });
    if (!socket.destroyed) this.#serve(socket, preface, { ...client, ...protocol });
  }

  #serve(socket: Socket, preface: McpPreface, found: FoundClient & Protocol): void {
    const { log, desk } = this.#spec;
    const { vouched, pid, place, makeServer, serveStdio } = found;
    const account = desk.gate.accounts.open(vouched);
    const owner = processOwner(vouched);
    const connection = new Connection({
      id: randomBytes(6).toString('hex'),
      preface,
      profile: preface.profile ?? 'standard',
      account: account.id,
      owner: () => owner,
      pid,
      programs: clientPrograms(vouched, preface.bridge_pid !== undefined),
      place,
    });
    let serving: Server | null = null;
    // in the 2026 era each request names its client
    let listener: ClientInfo | undefined;
    const tellListing = (): void => {
      if (!desk.gate.has(connection.callerAs(listener ?? serving?.getClientVersion()), 'observe')) return;
      void serving?.sendResourceListChanged().catch(() => undefined); // no client yet, or no longer
    };
    const endTelling = this.#followListing(tellListing);
    let listen: (uris: readonly string[], caller: McpCaller) => void = () => undefined;
    const factory = ({ era }: { era: 'legacy' | 'modern' }): Server => {
      const { server, resources } = makeServer(this.#spec, connection, era);
      serving = server;
      if (era === 'modern') listen = (uris, caller) => resources.listen(uris, caller);
      return server;
    };
    const handle = serveStdio(factory, {
      transport: new ListeningTransport(socket, (uris, meta) => {
        listener = meta?.[CLIENT_INFO] as ClientInfo | undefined;
        listen(uris, connection.callerAs(listener));
      }),
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      onerror: (error) => log('mcp_error', { connection: connection.id, reason: error.message }),
    });
    socket.resume(); // paused after the preface
    socket.on('close', () => {
      endTelling();
      account.dispose();
      void handle.close().catch(() => undefined); // already closed
    });
  }

  /** Until the returned function is called. */
  #followListing(tell: () => void): () => void {
    this.#tellListing.add(tell);
    this.#listing ??= followListing(this.#spec.desk, () => {
      for (const one of this.#tellListing) one();
    });
    return () => {
      this.#tellListing.delete(tell);
      if (this.#tellListing.size > 0) return;
      this.#listing?.dispose();
      this.#listing = null;
    };
  }
}

type Protocol = Awaited<ReturnType<typeof importProtocol>>;

let loading: Promise<Protocol> | null = null;

/**
 * Not at the start of a core, because every tool and the protocol's library are a quarter of its code. Once only: an import of what is loaded already
 * takes a millisecond.
 */
export function loadProtocol(): Promise<Protocol> {
  loading ??= importProtocol();
  return loading;
}

async function importProtocol() {
  const [{ serveStdio }, { makeServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./makeServer.ts'),
  ]);
  return { serveStdio, makeServer };
}

/** Node has no public API for it; without it the client cannot be verified. */
function descriptorOf(socket: Socket): number | null {
  const { _handle } = socket as unknown as { _handle?: { fd?: number } | null };
  return _handle?.fd !== undefined && _handle.fd >= 0 ? _handle.fd : null;
}

/** The first line, if it arrives in time and has the token; bytes after it go back into the socket. */
function readPreface(socket: Socket, token: string): Promise<McpPreface | null> {
  return new Promise((resolve) => {
    let held = Buffer.alloc(0);
    const done = (preface: McpPreface | null): void => {
      clearTimeout(timer);
      socket.off('data', take);
      socket.off('close', gone);
      socket.pause();
      resolve(preface);
    };
    const gone = (): void => done(null);
    const take = (chunk: Buffer): void => {
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf(LF);
      if (end < 0 ? held.length > MAX_PREFACE_BYTES : end > MAX_PREFACE_BYTES) return done(null);
      if (end < 0) return;
      const preface = parsePreface(held.subarray(0, end), token);
      done(preface);
      if (preface && end + 1 < held.length) socket.unshift(held.subarray(end + 1));
    };
    const timer = setTimeout(gone, PREFACE_MS);
    socket.on('data', take);
    socket.on('close', gone);
  });
}

function parsePreface(line: Buffer, token: string): McpPreface | null {
  try {
    const preface = McpPreface.parse(JSON.parse(line.toString('utf8')));
    return isSameSecret(preface.token, token) ? preface : null;
  } catch {
    return null; // not a preface: close without a reason
  }
}
