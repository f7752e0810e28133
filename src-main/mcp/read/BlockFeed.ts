import { Emitter } from '../../util/Emitter.ts';

/** Number of blocks whose last change is remembered; a reader further behind starts over. */
const MAX_REMEMBERED = 20_000;

export interface FedBlock {
  readonly terminalId: string;
  readonly blockId: string;
}

/**
 * The order in which blocks of all terminals began, ended or changed. Changes are numbered in ascending order; a block has the number of its latest
 * change.
 */
export class BlockFeed {
  readonly #last = new Map<string, FedBlock & { n: number }>();
  readonly #changed = new Emitter<FedBlock>();
  readonly onChanged = this.#changed.on;
  #n = 0;
  /** Changes up to this number are incomplete. */
  #forgottenTo = 0;

  get position(): number {
    return this.#n;
  }

  take(block: FedBlock): void {
    const key = `${block.terminalId}/${block.blockId}`;
    this.#last.delete(key);
    this.#n += 1;
    this.#last.set(key, { ...block, n: this.#n });
    if (this.#last.size > MAX_REMEMBERED) this.#forgetOldest();
    this.#changed.fire(block);
  }

  /** The changes after `position`, in order; null if some of them were forgotten or `position` is in the future. */
  since(position: number): readonly (FedBlock & { n: number })[] | null {
    if (position < this.#forgottenTo || position > this.#n) return null;
    const found: (FedBlock & { n: number })[] = [];
    for (const entry of [...this.#last.values()].reverse()) {
      if (entry.n <= position) break;
      found.push(entry);
    }
    return found.reverse();
  }

  #forgetOldest(): void {
    for (const [key, { n }] of this.#last) {
      this.#last.delete(key);
      this.#forgottenTo = n;
      return;
    }
  }
}
