import { createConnection, type Socket } from 'node:net';
import type { McpEndpoint } from '../../contract/mcp/mcp.ts';
import { asFields, type Fields, readAppMessage } from '../../mcp/bridge/messages.ts';
import { LineCutter } from '../../mcp/protocol/LineCutter.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/** A healthy app answers in milliseconds, a busy one within a second. */
const ANSWER_MS = 5_000;

/** A connection to the app for a few questions, one at a time. The owner disposes it. */
export class AppAsker implements IDisposable {
  readonly #socket: Socket;
  readonly #waiting = new Map<unknown, { resolve: (result: Fields) => void; reject: (why: Error) => void }>();
  #count = 0;
  #ended: Error | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const cutter = new LineCutter();
    socket.on('data', (bytes) => {
      for (const line of cutter.feed(bytes)) this.#take(readAppMessage(line)?.fields ?? {});
    });
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(new Error('the connection was closed')));
  }

  /** Connects and sends the preface. Rejects if the app does not listen. */
  static connect({ socketPath, token }: McpEndpoint): Promise<AppAsker> {
    return new Promise((resolve, reject) => {
      const socket = createConnection(socketPath);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        const preface = { token, bridge_pid: process.pid, bridge_ppid: process.ppid, client_hint: 'hansard-doctor' };
        socket.write(`${JSON.stringify(preface)}\n`);
        resolve(new AppAsker(socket));
      });
    });
  }

  /** Returns the result. Rejects with the message of an error, when the connection ends, and after a timeout. */
  async ask(method: string, params: Fields): Promise<Fields> {
    if (this.#ended) throw this.#ended;
    this.#count += 1;
    const id = this.#count;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Fields>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS / 1000} seconds`)), ANSWER_MS);
        this.#write({ id, method, params });
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  tell(method: string): void {
    this.#write({ method });
  }

  dispose(): void {
    this.#socket.destroy();
  }

  #write(message: object): void {
    this.#socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take({ id, result, error }: Fields): void {
    const found = asFields(result);
    if (found) this.#waiting.get(id)?.resolve(found);
    else if (error !== undefined)
      this.#waiting.get(id)?.reject(new Error(String(asFields(error)?.message ?? 'unknown error')));
  }

  #end(why: Error): void {
    this.#ended ??= why;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
  }
}
