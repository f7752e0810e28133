import type { Duplex } from 'node:stream';
import type { IDisposable } from '../util/Disposables.ts';

export type CallType = 'query' | 'mutation';

export interface RemoteListener {
  onData(value: unknown): void;
  onError(error: unknown): void;
  onComplete(): void;
}

/** The API of a core at the other end of a pipe: paths and values unchanged and unchecked. The owner disposes it. */
export interface RemoteApi extends IDisposable {
  /** Rejects with the core's refusal, or with a MachineError when the pipe breaks meanwhile. */
  call(type: CallType, path: string, input: unknown, signal?: AbortSignal): Promise<unknown>;
  /** `onError` reports a refusal of the core; only `lost` reports a broken pipe. */
  subscribe(path: string, input: unknown, listener: RemoteListener): { unsubscribe(): void };
  /** Rejects when the pipe is broken. */
  readonly lost: Promise<never>;
}

/** Opens the API of the core behind `pipe`, with the rights of a machine's window. */
export type OpenRemoteApi = (pipe: Duplex, token: string) => RemoteApi;

/** Why a call was not made, or was interrupted. */
export class MachineError extends Error {
  /** `off`: the call was not made. `cut`: the connection was lost during the call, so its outcome is unknown. */
  readonly kind: 'off' | 'cut';

  constructor(kind: 'off' | 'cut', message: string) {
    super(message);
    this.kind = kind;
  }
}
