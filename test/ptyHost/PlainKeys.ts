import { expect } from 'vitest';
import type { ConnectedCore } from '../support/ConnectedCore.ts';

/** `away`: no core was there. `lost`: the core went before it answered. */
type Fate = 'open' | 'taken' | 'away' | 'lost';

/** Types numbers as a client does that sends each key once, without a number of its own. */
export class PlainKeys {
  readonly #core: ConnectedCore;
  readonly #id: string;
  readonly #fates: Fate[] = [];
  /** True while no core is there. */
  isAway = false;

  constructor(core: ConnectedCore, id: string) {
    this.#core = core;
    this.#id = id;
  }

  type(): void {
    const { isAway } = this;
    const at = this.#fates.push('open') - 1;
    this.#core.api.terminal.write.mutate({ id: this.#id, data: `${at},` }).then(
      () => {
        this.#fates[at] = 'taken';
      },
      () => {
        this.#fates[at] = isAway ? 'away' : 'lost';
      },
    );
  }

  count(fate: Fate): number {
    return this.#fates.filter((one) => one === fate).length;
  }

  /** Expects each taken key in `text` once and in order, none that found no core, and one without an answer at most once. */
  expectIn(text: string): void {
    const arrived = text.split(',').slice(0, -1).map(Number);
    expect(arrived).toEqual([...new Set(arrived)].sort((a, b) => a - b));
    const has = new Set(arrived);
    const numbersOf = (fate: Fate) => this.#fates.flatMap((one, at) => (one === fate ? [at] : []));
    expect(numbersOf('taken').filter((at) => !has.has(at))).toEqual([]);
    expect(numbersOf('away').filter((at) => has.has(at))).toEqual([]);
  }
}
