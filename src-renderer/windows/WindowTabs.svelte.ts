import type { OpenWindow } from '../../src-main/contract/window/windows.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';

/** The terminals of this window, and the other windows. While a window is open, a terminal that was moved into it is in no other one. */
export class WindowTabs {
  readonly #rpc: Rpc['workspace'];
  #ownId: string | null = null;
  /** What this window has to itself; null: it shows all that are in no other window. */
  own = $state.raw<readonly string[] | null>(null);
  others = $state.raw<readonly OpenWindow[]>([]);
  /** It had some: one that has just been opened gets its first one in a moment. */
  hadTabs = false;
  /** Something about the windows has changed. */
  onChange: () => void = () => undefined;

  constructor(rpc: Rpc['workspace'], own: readonly string[] | null) {
    this.#rpc = rpc;
    this.own = own;
  }

  start(): Stop {
    return this.#rpc.onWindows(({ own, windows }) => {
      this.#ownId = own;
      this.own = windows.find(({ id }) => id === own)?.tabs ?? null;
      this.hadTabs ||= (this.own?.length ?? 0) > 0;
      this.others = windows.filter(({ id }) => id !== own);
      this.onChange();
    });
  }

  isHere(terminalId: string): boolean {
    if (this.own) return this.own.includes(terminalId);
    return !this.others.some(({ tabs }) => tabs?.includes(terminalId));
  }

  /** Windows that a tab can be moved into, besides a new one. Windows that show all remaining tabs count as one. */
  get targets(): readonly OpenWindow[] {
    const rest = this.own === null ? undefined : this.others.find(({ tabs }) => tabs === null);
    return [...(rest ? [rest] : []), ...this.others.filter(({ tabs }) => tabs !== null)];
  }

  /** `to`: a window with tabs of its own; null: the windows that show all other tabs. */
  async move(id: string, to: string | null): Promise<void> {
    await this.#rpc.moveTab({ id, to });
  }

  /** A terminal that the person asks for in this window comes to it. */
  async bring(id: string): Promise<void> {
    if (!this.isHere(id)) await this.move(id, this.own === null ? null : this.#ownId);
  }

  async showAll(): Promise<void> {
    await this.#rpc.showAll();
  }
}
