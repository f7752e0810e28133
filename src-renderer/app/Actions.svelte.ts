import { SvelteMap } from 'svelte/reactivity';
import type { Stop } from '../rpc/Rpc.ts';
import { strings } from './strings.ts';

/** Something a person can do. Every action of the window is registered, so that the palette and the keys know it. */
export interface Action {
  /** Stable name, as in settings.json: `tab.new`. */
  id: string;
  title: string;
  /** Heading in the palette: Tabs, Block, View, … */
  group: string;
  /** Default chords, alternatives separated by a space: `Mod+T Alt+Shift+T`. `Mod` is Cmd on a Mac, else Ctrl. */
  keys?: string;
  run(): void;
  /** Whether it makes sense now; an action without it always does. */
  when?(): boolean;
  /** Shows another tab though its heading is not "Tabs". */
  opensTab?: boolean;
}

/** Whether what is typed after the action is meant for a tab that the action shows. */
export function concernsTabs({ group, opensTab }: Action): boolean {
  return opensTab ?? group === strings.app.groups.tabs;
}

/** The actions that there are now. A component that is gone takes its own with it. */
export class Actions {
  readonly #byId = new SvelteMap<string, Action>();
  readonly all = $derived([...this.#byId.values()]);
  isOpen = $state(false);
  /** The one heading that the palette shows now, for a choice among many; null: every action that makes sense. */
  choice = $state.raw<string | null>(null);
  /** Every way to an action, by key, button or palette, ends here. */
  perform: (action: Action) => void = (action) => action.run();

  /** A later registration of the same id takes over; its Stop gives way only if it is still the one in place. */
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

  /** Closes it; the next time it shows everything again. */
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

  /** False when there is no such action or it makes no sense now. */
  run(id: string): boolean {
    const action = this.#byId.get(id);
    if (!action || !this.isEnabled(id)) return false;
    this.perform(action);
    return true;
  }
}
