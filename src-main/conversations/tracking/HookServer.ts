import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { z } from 'zod';
import { closePrivately, listenPrivately, socketPath } from '../../store/instance/privateSocket.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import { isSameSecret } from '../../util/isSameSecret.ts';
import { asFields, type Fields, parseObject } from '../extraction/reconcile/jsonFields.ts';

/** The head of a message of hook.mjs; the event's JSON follows its LF. */
const Head = z.object({
  version: z.literal(1),
  terminal: z.string().max(64),
  key: z.string().max(128),
  agent: z.string().max(64),
  event: z.string().max(64),
});

/** hook.mjs sends at most 4 MiB and its head. */
const MAX_BYTES = 4 * 1024 * 1024 + 4096;
/** Most hooks of all terminals at one time; each takes milliseconds. */
const MAX_CONNECTIONS = 64;
/** A connection that is idle for this time is closed. */
const IDLE_MS = 2000;

/** One event of an agent's hooks, from a program in the terminal. The program claims to be the agent; this is not proved. */
export interface HookCall {
  readonly terminalId: string;
  /** Name of the extractor, from our entry in the agent's settings. */
  readonly agent: string;
  readonly event: string;
  readonly payload: Fields;
}

/**
 * Receives calls of agents' hooks on a socket that belongs to this user. A call needs the key with which its terminal was started, so
 * programs of another terminal cannot speak for the agent in this one. Sends no answers.
 */
export class HookServer implements IDisposable {
  readonly path: string;
  readonly #server: Server;
  readonly #keys = new Map<string, Buffer>();
  readonly #calls = new Emitter<HookCall>();
  readonly #sockets = new Set<Socket>();
  readonly onCall = this.#calls.on;
  #refused = 0;

  private constructor(path: string) {
    this.path = path;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#receive(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** Rejects if the socket cannot be created: hooks then report nothing, and everything else works. */
  static async open(dataFolder: string): Promise<HookServer> {
    const door = new HookServer(socketPath(dataFolder, 'hook.sock'));
    await listenPrivately(door.path, () => once(door.#server.listen({ path: door.path }), 'listening'));
    door.#server.on('error', () => undefined); // a connection that cannot be accepted affects only its hook
    return door;
  }

  /** Calls that were malformed or had no valid key. */
  get refused(): number {
    return this.#refused;
  }

  /** Admits the programs of a terminal whose shell gets these variables. A later start of the terminal makes earlier keys invalid. */
  admit(terminalId: string, key: string): Record<string, string> {
    this.#keys.set(terminalId, Buffer.from(key));
    return { HANSARD_TERMINAL: terminalId, HANSARD_HOOK_SOCKET: this.path, HANSARD_HOOK_KEY: key };
  }

  forget(terminalId: string): void {
    this.#keys.delete(terminalId);
  }

  dispose(): void {
    closePrivately(this.#server, this.path);
    for (const socket of this.#sockets) socket.destroy();
    this.#calls.dispose();
  }

  #receive(socket: Socket): void {
    const pieces: Buffer[] = [];
    let bytes = 0;
    this.#sockets.add(socket);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on('error', () => undefined); // a hook that was killed half-way; what it sent is not used
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (piece) => {
      bytes += piece.length;
      if (bytes <= MAX_BYTES) pieces.push(piece);
      else this.#refuse(socket);
    });
    socket.on('end', () => {
      if (bytes <= MAX_BYTES) this.#take(Buffer.concat(pieces), socket);
      socket.end();
    });
  }

  #take(message: Buffer, socket: Socket): void {
    const end = message.indexOf(10);
    const head = Head.safeParse(end < 0 ? null : parseObject(message.toString('utf8', 0, end)));
    const payload = asFields(parseObject(message.toString('utf8', end + 1)));
    if (!head.success || !payload || !this.#isAdmitted(head.data)) return this.#refuse(socket);
    const { terminal, agent, event } = head.data;
    this.#calls.fire({ terminalId: terminal, agent, event, payload });
  }

  #isAdmitted({ terminal, key }: z.infer<typeof Head>): boolean {
    const wanted = this.#keys.get(terminal);
    return wanted !== undefined && isSameSecret(key, wanted);
  }

  #refuse(socket: Socket): void {
    this.#refused += 1;
    socket.destroy();
  }
}
