import { existsSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { SpawnPty } from '../../pty/PtyProcess.ts';
import type { Disk } from '../../store/files/Disk.ts';
import { closePrivately, listenPrivately } from '../../store/instance/privateSocket.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { commonVersion, type OpenTerminal, SERVED_VERSIONS, type ToCore, type ToHost } from '../protocol/messages.ts';
import { CoreConnection } from './CoreConnection.ts';
import { HostTerminal } from './HostTerminal.ts';
import { isCurrentKey } from './isCurrentKey.ts';

/** The core that started the host connects within milliseconds. */
const FIRST_CORE_MS = 30_000;
/** How long the note is kept for the next core while there is no shell: a restart takes seconds, and so does a person after a crash. */
const NOTE_KEPT_MS = 30_000;
/** How long ends of shells are kept for a core that asks for them. */
const ENDS_KEPT_MS = 10 * 60_000;

/** The same as when a core closes a terminal. */
const HANG_UP_MS = 1_000;

/** One core is served; other connections only check whether a host runs, or have a few seconds to say hello. */
const MAX_CONNECTIONS = 64;

const PATH_LOOK_MS = 10_000;

export interface PtyHostDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly disk?: Disk;
  readonly spawnPty: SpawnPty;
  readonly socketPath: string;
  /** See `isCurrentKey`. */
  readonly keyPath: string;
}

type Hello = Extract<ToHost, { type: 'hello' }>;

/** Owns the PTYs of one data folder, and serves one core at a time: the one with the latest key. */
export class PtyHost {
  readonly #deps: PtyHostDeps;
  readonly #server: Server;
  readonly #terminals = new Map<string, HostTerminal>();
  readonly #ended = Promise.withResolvers<void>();
  #core: { readonly connection: CoreConnection; readonly hello: Hello } | null = null;
  #note: string | null = null;
  /** The last core expected no other after it. */
  #wasLast = false;
  #ending: IDisposable | null = null;
  #watching: IDisposable | null = null;
  /** Exited shells whose files are being synced and closed. */
  readonly #closing = new Set<HostTerminal>();

  /** Resolves when there is neither a shell nor a core, which may come back soon, and everything is on disk. */
  readonly ended = this.#ended.promise;

  constructor(deps: PtyHostDeps) {
    this.#deps = deps;
    this.#server = createServer((socket) => this.#receive(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** Rejects if another host has the socket, or the system refuses it. */
  async listen(): Promise<void> {
    const { socketPath } = this.#deps;
    await listenPrivately(
      socketPath,
      () =>
        new Promise<void>((resolve, reject) => {
          this.#server.once('error', reject);
          this.#server.listen({ path: socketPath }, resolve);
        }),
    );
    this.#server.removeAllListeners('error').on('error', () => undefined); // a single connection could not be accepted
    this.#endAfter(FIRST_CORE_MS);
  }

  /** Hangs up on every shell, and soon kills those that still run. */
  hangUp(): void {
    const running = [...this.#terminals.values()].filter(({ hasExited }) => !hasExited);
    for (const terminal of running) terminal.kill('SIGHUP');
    this.#deps.clock.after(HANG_UP_MS, () => running.forEach((terminal) => void terminal.kill('SIGKILL')));
  }

  #receive(socket: Socket): void {
    new CoreConnection(socket, {
      ...this.#deps,
      hello: (connection, hello) => this.#welcome(connection, hello),
      take: (message, bytes) => this.#take(message, bytes),
      closed: (connection) => this.#left(connection),
      hasRoom: () => {
        for (const terminal of this.#terminals.values()) terminal.hasRoom();
      },
    });
  }

  #take(message: Exclude<ToHost, { type: 'hello' }>, bytes: Uint8Array): void {
    if (message.type === 'remember') this.#note = message.note;
    else if (message.type === 'last') this.#wasLast = true;
    else if (message.type === 'open') this.#open(message);
    else this.#command(message, bytes);
  }

  #command(message: Exclude<ToHost, { type: 'hello' | 'open' | 'remember' | 'last' }>, bytes: Uint8Array): void {
    const terminal = this.#terminals.get(message.id);
    if (!terminal) return; // it has just exited, or a newer core asks for something unknown here
    switch (message.type) {
      case 'write':
        return terminal.write(bytes, message.query);
      case 'settled':
        return terminal.settled(message.to);
      case 'typed':
        return terminal.typed(message.writer, message.next);
      case 'resize':
        return terminal.resize(message.cols, message.rows);
      case 'pause':
        return terminal.pause();
      case 'resume':
        return terminal.resume();
      case 'kill':
        return terminal.kill(message.signal);
      case 'keep':
        return terminal.keepFrom(message.from);
      case 'forget':
        if (terminal.hasExited) this.#terminals.delete(message.id);
    }
  }

  /** Admits the core with the latest key. Refuses a process that has read the key of a connected core. */
  #welcome(connection: CoreConnection, hello: Hello): ToCore | null {
    const { versions, key } = hello;
    const version = commonVersion(versions);
    if (version === null) return { type: 'unserved', versions: SERVED_VERSIONS };
    if (!isCurrentKey(this.#deps.keyPath, key)) return { type: 'denied', reason: 'its key is not the current one' };
    if (this.#core?.hello.key === key) return { type: 'denied', reason: 'another core with this key is connected' };
    const before = this.#core?.connection;
    before?.close();
    if (before) this.#left(before); // resumes the programs that waited for that core
    this.#ending?.dispose();
    const terminals = [...this.#terminals.values()].map(({ state }) => state);
    this.#core = { connection, hello };
    this.#wasLast = false;
    this.#tell({ type: 'welcome', version, pid: process.pid, terminals, note: this.#note });
    for (const terminal of this.#terminals.values()) terminal.foundCore();
    return null;
  }

  #left(connection: CoreConnection): void {
    if (connection !== this.#core?.connection) return;
    const { countsAnswers = false } = this.#core.hello;
    this.#core = null;
    for (const terminal of this.#terminals.values()) terminal.lostCore(countsAnswers);
    this.#endWhenIdle();
    this.#watchPath();
  }

  /** Ends the shells if the socket is gone: the data folder was removed, and no core can connect any more. */
  #watchPath(): void {
    this.#watching?.dispose();
    this.#watching = this.#deps.clock.after(PATH_LOOK_MS, () => {
      if (this.#core) return;
      if (!existsSync(this.#deps.socketPath)) this.hangUp();
      this.#watchPath();
    });
  }

  #open(message: OpenTerminal): void {
    try {
      if (this.#terminals.get(message.id)?.hasExited === false)
        throw new Error('the shell before it has not ended yet');
      const terminal = new HostTerminal(message, {
        ...this.#deps,
        hasCore: () => this.#core !== null,
        tell: (told, bytes) => this.#tell(told, bytes),
        ended: () => this.#closed(terminal),
      });
      this.#terminals.set(message.id, terminal);
      this.#tell({ type: 'opened', id: message.id, pid: terminal.pid });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#tell({ type: 'refused', id: message.id, reason });
    }
  }

  #closed(terminal: HostTerminal): void {
    this.#closing.add(terminal);
    const closed = terminal.close().finally(() => {
      this.#closing.delete(terminal);
      this.#endWhenIdle();
    });
    detach('PtyHost', closed);
  }

  /** False if the core does not read its messages. */
  #tell(message: ToCore, bytes?: Uint8Array): boolean {
    return this.#core?.connection.tell(message, bytes) ?? true;
  }

  #endWhenIdle(): void {
    const isIdle = [...this.#terminals.values()].every(({ hasExited }) => hasExited);
    if (this.#core || !isIdle || this.#closing.size > 0) return;
    const keepsNote = this.#note !== null && !this.#wasLast;
    this.#endAfter(this.#terminals.size > 0 ? ENDS_KEPT_MS : keepsNote ? NOTE_KEPT_MS : 0);
  }

  #endAfter(ms: number): void {
    this.#ending?.dispose();
    this.#ending = this.#deps.clock.after(ms, () => {
      const { socketPath } = this.#deps;
      closePrivately(this.#server, socketPath);
      this.#ended.resolve();
    });
  }
}
