import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { ExecRequest } from './ExecRequest.ts';

/** Commands that wait for one terminal, in the order in which they were asked for, each for so long as its client said. */
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

  /** `expire` is called when it has waited for as long as it may. */
  add(request: ExecRequest, expire: () => void): void {
    this.#all = [...this.#all, request];
    this.#timers.set(request, this.#clock.after(request.input.queueTimeoutMs, expire));
  }

  remove(request: ExecRequest): void {
    this.#all = this.#all.filter((other) => other !== request);
    this.#timers.get(request)?.dispose();
    this.#timers.delete(request);
  }

  /** From 1; null when it does not wait. */
  positionOf(request: ExecRequest): number | null {
    const at = this.#all.indexOf(request);
    return at < 0 ? null : at + 1;
  }

  /** The first that waits for the terminal only, and for no earlier one of its client. */
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
