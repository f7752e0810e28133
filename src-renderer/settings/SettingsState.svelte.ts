import type { Settings } from '../../src-main/contract/settings.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';
import { Themes } from '../themes/Themes.svelte.ts';

/**
 * settings.json as the core holds it. A change is shown at once; what the core says meanwhile may be older than that, so it
 * counts only when no change is under way. A refused change is taken back.
 */
export class SettingsState {
  readonly #rpc: Rpc;
  readonly themes: Themes;
  current = $state.raw<Settings>() as Settings;
  /** The settings page is open. */
  isOpen = $state(false);
  /** What the core said last. */
  #told: Settings;
  #underWay = 0;

  constructor(rpc: Rpc, settings: Settings) {
    this.#rpc = rpc;
    this.themes = new Themes(rpc.theme);
    this.#told = settings;
    this.current = settings;
  }

  start(): Stop {
    return this.#rpc.settings.onChange((settings) => this.#apply(settings));
  }

  /** Rejects with the core's reason when it refuses the change. */
  async set(change: Partial<Settings>): Promise<void> {
    this.#underWay += 1;
    this.current = { ...this.current, ...change };
    try {
      this.#told = await this.#rpc.settings.set(change);
    } finally {
      this.#underWay -= 1;
      this.#apply(this.#told);
    }
  }

  #apply(settings: Settings): void {
    this.#told = settings;
    if (this.#underWay === 0) this.current = settings;
  }
}
