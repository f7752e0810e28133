import { Emitter } from '../../util/Emitter.ts';

/** Blocks whose last change is remembered; a reader that was away for longer starts anew. */
const MAX_REMEMBERED = 20_000;

export interface FedBlock {
  readonly terminalId: string;
  readonly blockId: string;
}

/**
 * In which order blocks of all terminals began, ended or changed. Each change has a number that only grows; a block has the number of its
 * last one.
 */
export class BlockFeed {
  readonly #last = new Map<string, FedBlock & { n: number }>();
  readonly #changed = new Emitter<FedBlock>();
  readonly onChanged = this.#changed.on;
  #n = 0;
  /** Changes up to this number are no longer known one by one. */
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

  /** What changed after `position`, in that order; null when not all of it is known any more, or none of it yet. */
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
