import type { Clock } from '../util/Clock.ts';
import { MachineError, type RemoteApi } from './RemoteApi.ts';

/** Keys whose arrival is not known are sent again for so long; after it, a person has done something else, and they would surprise. */
const RESEND_MS = 30_000;
/** Keys on their way. A person types a thousandth of it; a paste has its own way. */
const MAX_PENDING_CHARS = 1024 * 1024;

export type WritePath = 'terminal.write' | 'terminal.writeBinary';

interface Piece {
  readonly path: WritePath;
  readonly number: number;
  readonly data: string;
  /** Both clocks: one may be set, the other may rest while this machine sleeps. */
  readonly atMs: { readonly wall: number; readonly monotonic: number };
  readonly done: { resolve(value: unknown): void; reject(error: unknown): void };
}

interface Writer {
  name: string;
  next: number;
  /** Sent, and not answered yet. */
  pending: Piece[];
}

/**
 * Keys for the terminals of a machine, numbered so that the machine types each once and in order. What was under way when the connection was cut is sent
 * again under its number; without a connection nothing is taken.
 */
export class RemoteKeys {
  readonly #writers = new Map<string, Writer>();
  readonly #clock: Clock;
  readonly #randomId: (bytes: number) => string;
  #api: RemoteApi | null = null;
  /** Names the process that has counted. */
  #core = '';
  #chars = 0;

  constructor({ clock, randomId }: { clock: Clock; randomId: (bytes: number) => string }) {
    this.#clock = clock;
    this.#randomId = randomId;
  }

  /** The connection is there: what was under way is sent again, unless it is too old or `core` is another one, which has not counted the earlier keys. */
  up(api: RemoteApi, core: string): void {
    this.#api = api;
    const isOther = core !== this.#core;
    this.#core = core;
    for (const [id, writer] of this.#writers) {
      if (isOther || writer.pending.length === 0) this.#drop(writer);
      this.#dropOld(writer);
      for (const piece of writer.pending) this.#send(id, writer, piece);
    }
  }

  /** The connection is lost. */
  down(): void {
    this.#api = null;
    this.#clock.after(RESEND_MS, () => {
      if (this.#api === null) for (const writer of this.#writers.values()) this.#dropOld(writer);
    });
  }

  /** Resolves when the machine has taken it. Rejects with its refusal, or with a MachineError. */
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

  /** The person has disconnected the machine, or it is forgotten. */
  dispose(): void {
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
        if (error instanceof MachineError) return; // it is sent again with the next connection
        // The machine has not counted this number, and would keep later keys back for it.
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

  /** All of it: later keys without the earlier ones would be another text. */
  #drop(writer: Writer): void {
    for (const { data, done } of writer.pending) {
      this.#chars -= data.length;
      done.reject(new MachineError('cut', 'the connection was lost: whether the last keys arrived is not known'));
    }
    Object.assign(writer, { name: this.#randomId(8), next: 0, pending: [] });
  }
}
