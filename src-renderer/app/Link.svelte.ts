import type { LinkState, Rpc, Stop } from '../rpc/Rpc.ts';

/** State of the connection to the core. */
export class Link {
  readonly #rpc: Rpc;
  state = $state<LinkState>('connecting');
  /** Grows with each new connection. Subscribers must then request again what they missed. */
  epoch = $state(0);

  constructor(rpc: Rpc) {
    this.#rpc = rpc;
  }

  start(): Stop {
    return this.#rpc.onLink((state) => {
      if (state === 'open' && this.state !== 'open') this.epoch += 1;
      this.state = state;
    });
  }
}
