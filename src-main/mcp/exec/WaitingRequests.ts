import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { ExecRequest } from './ExecRequest.ts';

/** Commands that wait for one terminal, in the order of their calls, each until its queue timeout. */
export class WaitingRequests implements IDisposable {
  readonly #clock: Clock;
  readonly #timers = new Map<ExecRequest, IDisposable>();
  #all: readonly ExecRequest[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get all(): readonly ExecRequest[] {
    return this.#all;
  }

  /** `expire` is called after the request's queue timeout. */
  add(request: ExecRequest, expire: () => void): void {
    this.#all = [...this.#all, request];
    this.#timers.set(request, this.#clock.after(request.input.queueTimeoutMs, expire));
  }

  remove(request: ExecRequest): void {
    this.#all = this.#all.filter((other) => other !== request);
    this.#timers.get(request)?.dispose();
    this.#timers.delete(request);
  }

  /** Position in the queue from 1, or null if it does not wait. */
  positionOf(request: ExecRequest): number | null {
    const at = this.#all.indexOf(request);
    return at < 0 ? null : at + 1;
  }

  /** The first request that waits neither for an approval nor for an earlier request of its client. */
  next(): ExecRequest | undefined {
    return this.#all.find(
      (request, at) =>
        request.status !== 'awaiting_approval' &&
        !this.#all.slice(0, at).some(({ caller }) => caller.name === request.caller.name),
    );
  }

  dispose(): void {
    for (const timer of this.#timers.values()) timer.dispose();
  }
}
