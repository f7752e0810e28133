import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJson, decodeProtobuf, encodeResponse, type GotSpan } from './otlpSchema.ts';

export interface Got {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** null if the body is no OTLP request. */
  readonly spans: GotSpan[] | null;
}

/** Answers one request. */
export type Behaviour = (response: ServerResponse, got: Got) => void;

export const accept: Behaviour = (response, { headers }) => {
  const isJson = headers['content-type'] === 'application/json';
  response.setHeader('content-type', isJson ? 'application/json' : 'application/x-protobuf');
  response.end(isJson ? '{}' : encodeResponse());
};

export function refuse(status: number, headers: Record<string, string> = {}, body = ''): Behaviour {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** An OTLP/HTTP collector on a local port that decodes requests with the official schema. */
export class Receiver {
  readonly got: Got[] = [];
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();
  behave: Behaviour;

  private constructor(server: Server, behave: Behaviour) {
    this.#server = server;
    this.behave = behave;
  }

  static async start(behave: Behaviour = accept, port = 0): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server, behave);
    server.on('request', (request, response) => receiver.#take(request, response));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Spans of all requests, with any answer; they have left Hansard. */
  get spans(): GotSpan[] {
    return this.got.flatMap(({ spans }) => spans ?? []);
  }

  /** Resolves when `is` returns true; checks it after each request. */
  async until(is: () => boolean): Promise<void> {
    while (!is()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = [];
    request.on('error', () => undefined); // the test kills the client
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      const got = { path: request.url ?? '', headers: request.headers, body, spans: spansOf(request, body) };
      this.got.push(got);
      this.behave(response, got);
      for (const wake of this.#waiting) wake();
      this.#waiting.clear();
    });
  }
}

function spansOf({ headers }: IncomingMessage, body: Buffer): GotSpan[] | null {
  try {
    return headers['content-type'] === 'application/json' ? decodeJson(body) : decodeProtobuf(body);
  } catch {
    return null;
  }
}
