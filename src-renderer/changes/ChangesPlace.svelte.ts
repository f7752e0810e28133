import { SvelteMap, SvelteSet } from 'svelte/reactivity';

/** What the person has open in the changes of one conversation. Kept while another tab, another part or no panel is shown. */
export class ChangesPlace {
  range: 'turns' | 'all' = $state('turns');
  /** Turns that the person opened or closed. */
  readonly turns = new SvelteMap<number, boolean>();
  /** Files with an open change, as `turn/file`. */
  readonly files = new SvelteSet<string>();
  /** The current row of the arrow keys, as `turn/file`. */
  cursor = $state<string | null>(null);

  constructor(range: 'turns' | 'all' = 'turns') {
    this.range = range;
  }
}
