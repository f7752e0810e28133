import type { LinkState, Rpc, Stop } from '../rpc/Rpc.ts';

/** The connection to the core as the window shows it. */
export class Link {
  readonly #rpc: Rpc;
  state = $state<LinkState>('connecting');
  /** Grows each time the connection is there again. Subscribers must ask again for what they missed. */
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
