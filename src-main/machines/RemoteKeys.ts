import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { MachineError, type RemoteApi } from './RemoteApi.ts';

/** Keys without an acknowledgement are resent for this time; later they would surprise the person, who has moved on. */
const RESEND_MS = 30_000;
/** Limit of unacknowledged characters. Typing needs a thousandth of it; a paste is sent in another way. */
const MAX_PENDING_CHARS = 1024 * 1024;

export type WritePath = 'terminal.write' | 'terminal.writeBinary';

interface Piece {
  readonly path: WritePath;
  readonly number: number;
  readonly data: string;
  /** Both clocks, because one may be set and the other may stop while this machine sleeps. */
  readonly atMs: { readonly wall: number; readonly monotonic: number };
  readonly done: { resolve(value: unknown): void; reject(error: unknown): void };
}

interface Writer {
  name: string;
  next: number;
  /** Sent but not acknowledged. */
  pending: Piece[];
}

/**
 * Numbers keys for the terminals of a machine, so that the machine types each once and in order. Unacknowledged keys are resent with their numbers
 * after a lost connection; without a connection, keys are refused.
 */
export class RemoteKeys {
  readonly #writers = new Map<string, Writer>();
  readonly #clock: Clock;
  readonly #randomId: (bytes: number) => string;
  #api: RemoteApi | null = null;
  /** Id of the core process that has counted. */
  #core = '';
  #chars = 0;
  /** Drops old keys while there is no connection. */
  #dropping: IDisposable | null = null;

  constructor({ clock, randomId }: { clock: Clock; randomId: (bytes: number) => string }) {
    this.#clock = clock;
    this.#randomId = randomId;
  }

  /**
   * Call when connected: resends unacknowledged keys, except old ones, and all if `core` is a different process, which has not counted the earlier
   * keys.
   */
  up(api: RemoteApi, core: string): void {
    this.#dropping?.dispose();
    this.#api = api;
    const isOther = core !== this.#core;
    this.#core = core;
    for (const [id, writer] of this.#writers) {
      if (isOther || writer.pending.length === 0) this.#drop(writer);
      this.#dropOld(writer);
      for (const piece of writer.pending) this.#send(id, writer, piece);
    }
  }

  /** Call when the connection is lost. */
  down(): void {
    this.#api = null;
    this.#dropping?.dispose();
    this.#dropping = this.#clock.after(RESEND_MS, () => {
      for (const writer of this.#writers.values()) this.#dropOld(writer);
    });
  }

  /** Resolves when the machine has accepted the keys. Rejects with its refusal, or with a MachineError. */
  write(id: string, path: WritePath, data: string): Promise<unknown> {
    if (this.#api === null) return Promise.reject(new MachineError('off', 'not connected: the keys were not sent'));
    if (this.#chars + data.length > MAX_PENDING_CHARS)
      return Promise.reject(new MachineError('off', 'the machine does not answer: the keys were not sent'));
    const writer = this.#writers.get(id) ?? { name: this.#randomId(8), next: 0, pending: [] };
    this.#writers.set(id, writer);
    const { promise, ...done } = Promise.withResolvers<unknown>();
    const piece: Piece = { path, number: writer.next, data, atMs: this.#now(), done };
    writer.next += 1;
    writer.pending.push(piece);
    this.#chars += data.length;
    this.#send(id, writer, piece);
    return promise;
  }

  /** Call when the person disconnects or forgets the machine. */
  dispose(): void {
    this.#dropping?.dispose();
    this.#api = null;
    for (const writer of this.#writers.values()) this.#drop(writer);
    this.#writers.clear();
  }

  #send(id: string, writer: Writer, piece: Piece): void {
    const api = this.#api;
    if (api === null) return;
    const { path, number, data } = piece;
    const { name } = writer;
    api.call('mutation', path, { id, data, writer: name, number }).then(
      (value) => this.#settle(writer, piece, () => piece.done.resolve(value)),
      (error: unknown) => {
        if (error instanceof MachineError) return; // resent with the next connection
        // The machine has not counted this number, and would hold back later keys.
        if (data !== '') api.call('mutation', path, { id, data: '', writer: name, number }).catch(() => undefined);
        this.#settle(writer, piece, () => piece.done.reject(error));
      },
    );
  }

  #settle(writer: Writer, piece: Piece, finish: () => void): void {
    if (!writer.pending.includes(piece)) return;
    writer.pending = writer.pending.filter((each) => each !== piece);
    this.#chars -= piece.data.length;
    finish();
  }

  #dropOld(writer: Writer): void {
    const [oldest] = writer.pending;
    if (oldest === undefined) return;
    const now = this.#now();
    const passedMs = Math.max(now.wall - oldest.atMs.wall, now.monotonic - oldest.atMs.monotonic);
    if (passedMs >= RESEND_MS) this.#drop(writer);
  }

  #now(): Piece['atMs'] {
    return { wall: this.#clock.nowMs(), monotonic: this.#clock.monotonicMs() };
  }

  /** Drops all of them: later keys without the earlier ones would be a different text. */
  #drop(writer: Writer): void {
    for (const { data, done } of writer.pending) {
      this.#chars -= data.length;
      done.reject(new MachineError('cut', 'the connection was lost: whether the last keys arrived is not known'));
    }
    Object.assign(writer, { name: this.#randomId(8), next: 0, pending: [] });
  }
}
