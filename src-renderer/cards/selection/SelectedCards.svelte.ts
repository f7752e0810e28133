import type { Block } from '../../../src-main/contract/block.ts';
import type { BlockList } from '../list/BlockList.svelte.ts';
import { NOTHING_SELECTED, reduceSelection } from './cardSelection.ts';

/** The selected cards of a list. */
export class SelectedCards {
  readonly #list: BlockList;
  #selection = $state.raw(NOTHING_SELECTED);
  /** In the order of the list. */
  readonly blocks = $derived.by((): readonly Block[] => {
    const { ids } = this.#selection;
    return ids.size === 0 ? [] : this.#list.blocks.filter(({ id }) => ids.has(id));
  });

  constructor(list: BlockList) {
    this.#list = list;
  }

  get count(): number {
    return this.#selection.ids.size;
  }

  has(id: string): boolean {
    return this.#selection.ids.has(id);
  }

  toggle(id: string): void {
    this.#selection = reduceSelection(this.#selection, { type: 'toggle', id });
  }

  /** Selects all cards from the anchor, or else from the current card, to this one. */
  extendTo(id: string, fromId = this.#list.current()?.id ?? id): void {
    this.#selection = reduceSelection(this.#selection, { type: 'range', id, fromId, order: this.#order() });
  }

  /** All cards that are loaded. */
  all(): void {
    this.#selection = reduceSelection(this.#selection, { type: 'all', order: this.#order() });
  }

  clear(): void {
    this.#selection = NOTHING_SELECTED;
  }

  #order(): string[] {
    return this.#list.blocks.map(({ id }) => id);
  }
}
