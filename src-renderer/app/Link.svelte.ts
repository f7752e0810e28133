import type { LinkState, Rpc, Stop } from '../rpc/Rpc.ts';
import { meetCoreClock } from './clock.svelte.ts';

/** State of the connection to the core. */
export class Link {
  readonly #rpc: Rpc;
  /** Build of the core from which this page was loaded; '' if unknown. */
  readonly #build: string;
  /** False while a reload would lose text that the person wrote. */
  readonly #mayReload: () => boolean;
  state = $state<LinkState>('connecting');
  /** Grows with each new connection. Subscribers must then request again what they missed. */
  epoch = $state(0);
  /** The core was updated since this page was loaded: calls may fail, and parts that were not loaded yet are gone. */
  isOutdated = $state(false);
  #isAsked = false;

  constructor(rpc: Rpc, build = '', mayReload = () => true) {
    this.#rpc = rpc;
    this.#build = build;
    this.#mayReload = mayReload;
  }

  start(): Stop {
    return this.#rpc.onLink((state) => {
      if (state === 'open' && this.state !== 'open') {
        this.epoch += 1;
        if (this.epoch > 1) void this.#compare();
      }
      this.state = state;
    });
  }

  /** Restarts the core, and then loads this page again, or offers that while it has unsent text. Rejects if the core refuses. */
  async restart(): Promise<void> {
    await this.#rpc.system.restart();
    this.#isAsked = true;
  }

  async #compare(): Promise<void> {
    const system = await this.#rpc.system.info().catch(() => null); // without an answer the connection is lost again
    if (!system) return;
    meetCoreClock(system.nowMs);
    const isAsked = this.#isAsked;
    this.#isAsked = false; // for this core; a later one was started by someone else
    this.isOutdated = this.#build !== '' && (system.build ?? '') !== this.#build;
    if (this.isOutdated && isAsked && this.#mayReload()) location.reload();
  }
}
