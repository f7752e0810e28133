import type { Settings } from '../../src-main/contract/settings.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';

/** settings.json as the core holds it. A change is shown at once and taken back if the core refuses it. */
export class SettingsState {
  readonly #rpc: Rpc;
  current = $state.raw<Settings>() as Settings;
  /** The settings page is open. */
  isOpen = $state(false);

  constructor(rpc: Rpc, settings: Settings) {
    this.#rpc = rpc;
    this.current = settings;
  }

  start(): Stop {
    return this.#rpc.settings.onChange((settings) => {
      this.current = settings;
    });
  }

  async set(change: Partial<Settings>): Promise<void> {
    const before = this.current;
    this.current = { ...before, ...change };
    try {
      await this.#rpc.settings.set(change);
    } catch (error) {
      this.current = before;
      throw error;
    }
  }
}
