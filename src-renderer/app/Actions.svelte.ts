import { SvelteMap } from 'svelte/reactivity';
import type { Stop } from '../rpc/Rpc.ts';
import { strings } from './strings.ts';

/** Something that a person can do. Every action of the window is registered, so that the palette and the keys have it. */
export interface Action {
  /** Stable name, as in settings.json: `tab.new`. */
  id: string;
  title: string;
  /** Heading in the palette: Tabs, Block, View, … */
  group: string;
  /** Default chords, alternatives separated by a space: `Mod+T Alt+Shift+T`. `Mod` is Cmd on a Mac, else Ctrl. */
  keys?: string;
  run(): void;
  /** Whether the action is available now; always, if absent. */
  when?(): boolean;
  /** The action shows another tab, although its heading is not "Tabs". */
  opensTab?: boolean;
}

/** Whether keys typed after the action are for a tab that the action shows. */
export function concernsTabs({ group, opensTab }: Action): boolean {
  return opensTab ?? group === strings.app.groups.tabs;
}

/** The actions available now. A component registers its own and removes them when it is destroyed. */
export class Actions {
  readonly #byId = new SvelteMap<string, Action>();
  readonly all = $derived([...this.#byId.values()]);
  isOpen = $state(false);
  /** The heading to which the palette is limited, for a choice among many; null: all available actions. */
  choice = $state.raw<string | null>(null);
  /** Runs every action, by key, button or palette. */
  perform: (action: Action) => void = (action) => action.run();

  /** A later registration of an id replaces the earlier one. Its Stop has no effect once it was replaced. */
  register(...actions: readonly Action[]): Stop {
    for (const action of actions) this.#byId.set(action.id, action);
    return () => {
      for (const action of actions) if (this.#byId.get(action.id) === action) this.#byId.delete(action.id);
    };
  }

  /** Opens the palette for one heading only. */
  choose(group: string): void {
    this.choice = group;
    this.isOpen = true;
  }

  /** Closes the palette; it shows all actions the next time. */
  close(): void {
    this.isOpen = false;
    this.choice = null;
  }

  get(id: string): Action | undefined {
    return this.#byId.get(id);
  }

  isEnabled(id: string): boolean {
    const action = this.#byId.get(id);
    return action !== undefined && (action.when?.() ?? true);
  }

  /** False if the action does not exist or is not available now. */
  run(id: string): boolean {
    const action = this.#byId.get(id);
    if (!action || !this.isEnabled(id)) return false;
    this.perform(action);
    return true;
  }
}
