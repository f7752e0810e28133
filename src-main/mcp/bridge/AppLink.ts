import { lstatSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import type { McpEndpoint } from '../../contract/mcp/mcp.ts';
import type { EndpointRead } from '../../store/instance/mcpEndpoint.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/** A socket on this machine connects at once or not at all; only the full queue of an app that hangs takes longer. */
const CONNECT_MS = 2_000;
/**
 * Without an app, the bridge polls at growing intervals: two files and a socket, about 0.2 ms. It does not watch folders, because a person has 128
 * watchers and every client starts a bridge.
 */
const FIRST_RETRY_MS = 50;
const SLOWEST_RETRY_MS = 2_000;

export interface LinkEffects {
  readonly clock: Clock;
  readonly uid: number | null;
  locate(): EndpointRead[];
  /** The first line for the app, which describes the bridge. */
  preface(token: string): string;
  onOpened(): void;
  onBytes(bytes: Uint8Array): void;
  /** Called once per failed attempt and per ended connection. `why` is a sentence without its full stop. */
  onLost(why: string): void;
  /** The app has consumed the written data. */
  onDrain(): void;
}

/** The connection to the running app. After the first `seek`, retries until `dispose`. */
export class AppLink implements IDisposable {
  readonly #do: LinkEffects;
  #socket: Socket | null = null;
  #isOpen = false;
  #retry: IDisposable | null = null;
  #retryMs = FIRST_RETRY_MS;
  /** The start of an app that accepted the connection but did not answer: skipped unless the client asks for something. */
  #turnedDownBy = '';
  #isDisposed = false;

  constructor(effects: LinkEffects) {
    this.#do = effects;
  }

  /** The app accepts no more data for now; `onDrain` follows. */
  get isFull(): boolean {
    return this.#socket?.writableNeedDrain === true;
  }

  /** Tries at once; `onOpened` or `onLost` follows, in a later turn. */
  seek(): void {
    this.#retry?.dispose();
    if (this.#socket === null && !this.#isDisposed) this.#try(null);
  }

  write(data: Uint8Array | string): void {
    if (this.#isOpen) this.#socket?.write(data);
  }

  /** Pauses or resumes reading. */
  setPaused(isPaused: boolean): void {
    if (isPaused) this.#socket?.pause();
    else this.#socket?.resume();
  }

  /** Ends this connection without `onLost`; retries later. */
  drop(): void {
    this.#socket?.destroy();
    this.#socket = null;
    this.#isOpen = false;
    this.#retryLater();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#retry?.dispose();
    this.#socket?.destroy();
    this.#socket = null;
  }

  /** `notFrom`: a start of the app that is not worth another try. */
  #try(notFrom: string | null): void {
    const found = this.#do.locate();
    const candidates = found.flatMap((one) => (one.status === 'ok' && startOf(one.endpoint) !== notFrom ? [one] : []));
    const refused = found.find((one) => one.status === 'refused');
    this.#open(
      candidates.map(({ endpoint }) => endpoint),
      refused?.reason ?? 'Hansard is not running',
    );
  }

  #open([endpoint, ...others]: McpEndpoint[], whyNot: string): void {
    if (!endpoint) {
      queueMicrotask(() => this.#failed(whyNot));
      return;
    }
    const stranger = this.#ownerFault(endpoint.socketPath);
    if (stranger !== null) {
      this.#open(others, stranger);
      return;
    }
    this.#connect(endpoint, () => this.#open(others, whyNot));
  }

  #connect(endpoint: McpEndpoint, orElse: () => void): void {
    const socket = createConnection(endpoint.socketPath);
    this.#socket = socket;
    let isProven = false;
    const timer = this.#do.clock.after(CONNECT_MS, () => socket.destroy());
    socket.on('error', () => undefined); // 'close' follows and handles the failure
    socket.on('connect', () => {
      timer.dispose();
      this.#isOpen = true;
      socket.write(this.#do.preface(endpoint.token));
      this.#do.onOpened();
    });
    socket.on('data', (bytes) => {
      isProven = true;
      this.#retryMs = FIRST_RETRY_MS;
      this.#do.onBytes(bytes);
    });
    socket.on('drain', () => this.#do.onDrain());
    socket.on('close', () => {
      timer.dispose();
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (!this.#isOpen) {
        orElse();
        return;
      }
      this.#isOpen = false;
      if (!isProven) this.#turnedDownBy = startOf(endpoint);
      this.#failed(isProven ? 'Hansard was closed' : `Hansard (process ${endpoint.pid}) did not let us in`);
    });
  }

  /** The token must not go to a socket of another user. */
  #ownerFault(path: string): string | null {
    if (this.#do.uid === null) return null;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return 'Hansard is not running';
    return stat.isSocket() && stat.uid === this.#do.uid ? null : `${path} is no socket of ours`;
  }

  #failed(why: string): void {
    if (this.#isDisposed) return;
    this.#retryLater();
    this.#do.onLost(why);
  }

  #retryLater(): void {
    if (this.#isDisposed) return;
    this.#retry?.dispose();
    this.#retry = this.#do.clock.after(this.#retryMs, () => {
      if (this.#socket === null) this.#try(this.#turnedDownBy);
    });
    this.#retryMs = Math.min(this.#retryMs * 2, SLOWEST_RETRY_MS);
  }
}

function startOf({ pid, startedAt }: McpEndpoint): string {
  return `${pid}@${startedAt}`;
}
