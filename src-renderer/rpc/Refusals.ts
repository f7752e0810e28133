import type { Listen, Stop } from './Rpc.ts';

/** Why the view of a terminal is no longer followed, by the terminal's id. */
export type RefusedViews = ReadonlyMap<string, string>;

interface Ended {
  readonly terminalId: string;
  readonly reason: string;
  begin(): void;
}

/** Subscriptions that the core ended because of a value of the terminal's machine. They begin again only when the person asks for it. */
export class Refusals {
  readonly #ended = new Set<Ended>();
  readonly #listeners = new Set<Listen<RefusedViews>>();

  /** Returns a function that forgets the subscription, because its owner has stopped it. */
  add(ended: Ended): Stop {
    this.#ended.add(ended);
    this.#report();
    return () => {
      if (this.#ended.delete(ended)) this.#report();
    };
  }

  /** Follows everything of that terminal again. */
  again(terminalId: string): void {
    const again = [...this.#ended].filter((one) => one.terminalId === terminalId);
    for (const one of again) this.#ended.delete(one);
    this.#report();
    for (const one of again) one.begin();
  }

  /** Calls `listen` with the refused views, then with each change. */
  on(listen: Listen<RefusedViews>): Stop {
    this.#listeners.add(listen);
    listen(this.#views());
    return () => this.#listeners.delete(listen);
  }

  #report(): void {
    for (const listen of this.#listeners) listen(this.#views());
  }

  #views(): RefusedViews {
    return new Map([...this.#ended].map(({ terminalId, reason }) => [terminalId, reason]));
  }
}
