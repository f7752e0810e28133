import type { HistoryEntry } from '../../src-main/contract/api.ts';
import type { Rpc } from '../rpc/Rpc.ts';

/** More are found by typing more. */
const MAX_SHOWN = 200;

/** The search through earlier commands of all terminals, newest first. */
export class HistorySearch {
  readonly #rpc: Rpc;
  /** Commands of another machine are of use there only. */
  onMachine: () => { machine?: string } = () => ({});
  isOpen = $state(false);
  query = $state('');
  entries = $state.raw<readonly HistoryEntry[]>([]);
  /** The command that Return takes: the newest one until the person chooses another. */
  chosen = $state('');
  /** Nothing has been answered yet, so an empty list means nothing. */
  isWaiting = $state(true);
  /** Only the answer to the latest question counts. */
  #asked = 0;

  constructor(rpc: Rpc) {
    this.#rpc = rpc;
  }

  async search(query: string): Promise<void> {
    this.query = query;
    const asked = ++this.#asked;
    const entries = await this.#rpc.history.list({ ...this.onMachine(), query, limit: MAX_SHOWN });
    if (asked !== this.#asked) return;
    this.entries = entries;
    this.chosen = entries[0]?.cmd ?? '';
    this.isWaiting = false;
  }

  close(): void {
    this.isOpen = false;
  }
}
