import type { ChatMessage } from '../../src-main/contract/chat/chat.ts';
import type { PastPage, PastRow, PastStatus, UsageReport } from '../../src-main/contract/past.ts';
import { strings } from '../app/strings.ts';
import type { PastRpc } from '../rpc/PastRpc.ts';
import type { Stop } from '../rpc/Rpc.ts';

/** A search starts after a pause in typing of this length. */
const ASK_AFTER_MS = 150;
const DAY_MS = 86_400_000;

/** Age limits of the list, in days; 0: no limit. */
export const SPANS = [0, 1, 7, 30, 365] as const;

const NOTHING: PastStatus = { offer: null, running: null, last: null, error: null };

/** The state of History: the conversations, the selected one, and the import of agent logs. */
export class Past {
  readonly #rpc: PastRpc;
  #stop: Stop | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  /** A conversation that was requested by its key. It comes first in the next list. */
  #wanted: PastRow | null = null;
  isOpen = $state(false);
  status = $state.raw<PastStatus>(NOTHING);

  text = $state('');
  agent = $state('');
  cwd = $state('');
  days = $state<number>(0);
  /** The machine whose conversations are shown: its key, '' for this one; null for all. */
  machine = $state<string | null>(null);
  /** Machines that did not answer. */
  silent = $state.raw<readonly string[]>([]);
  rows = $state.raw<readonly PastRow[]>([]);
  next = $state<string | null>(null);
  facets = $state.raw<NonNullable<PastPage['facets']>>({ agents: [], folders: [] });
  /** True after the first answer of the core. */
  isKnown = $state(false);
  isLoading = $state(false);
  error = $state<string | null>(null);

  #chosenKey = $state('');
  messages = $state.raw<readonly ChatMessage[]>([]);
  nextMessage = $state<number | null>(null);

  /** The usage sums that replace the list; null while the list is shown. */
  by = $state<UsageReport['by'] | null>(null);
  usage = $state.raw<UsageReport | null>(null);

  /** Focuses the list, while the page is open. */
  takeKeys: () => void = () => undefined;

  readonly chosen = $derived(this.rows.find(({ key }) => key === this.#chosenKey) ?? this.rows[0]);

  constructor(rpc: PastRpc) {
    this.#rpc = rpc;
  }

  /** Follows the import from the start of the window. */
  start(): Stop {
    this.#stop ??= this.#rpc.onChange((status) => {
      const isNewer = status.last !== null && status.last !== this.status.last && status.running === null;
      this.status = status;
      if (isNewer && this.isOpen) this.load();
    });
    return () => this.dispose();
  }

  dispose(): void {
    this.#stop?.();
    this.#stop = undefined;
    clearTimeout(this.#timer);
  }

  open(): void {
    this.isOpen = true;
    this.by = null;
    this.load();
  }

  /** Shows one conversation and limits the list to its project. */
  async show(key: string): Promise<void> {
    const row = await this.#rpc.row({ key });
    if (!row) throw new Error(strings.history.gone);
    Object.assign(this, { text: '', agent: '', cwd: row.cwd ?? '', days: 0, machine: null });
    this.#wanted = row;
    this.choose(key);
    this.open();
  }

  close(): void {
    this.isOpen = false;
    clearTimeout(this.#timer);
  }

  /** Reads the list again after changed filters, when typing pauses. */
  search(change: Partial<Pick<Past, 'text' | 'agent' | 'cwd' | 'days' | 'machine'>>): void {
    Object.assign(this, change);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), change.text === undefined ? 0 : ASK_AFTER_MS);
  }

  /** Reads the first page. */
  load(): void {
    void this.#ask(null);
  }

  /** Reads the next page, unless there is no more or a page is already loading. */
  more(): void {
    if (this.next !== null && !this.isLoading) void this.#ask(this.next);
  }

  choose(key: string): void {
    this.#chosenKey = key;
  }

  /** Selects the row `by` rows further, or the first or last one at the ends. */
  step(by: number): void {
    const at = this.chosen ? this.rows.indexOf(this.chosen) : -1;
    const next = this.rows[Math.max(0, Math.min(this.rows.length - 1, at + by))];
    if (next) this.choose(next.key);
    if (at + by >= this.rows.length - 5) this.more();
  }

  /** Reads the first messages of a conversation, or with `from` the following ones. */
  async read(key: string, from = 0): Promise<void> {
    if (from === 0) {
      this.messages = [];
      this.nextMessage = null;
    }
    const { messages, next } = await this.#rpc.messages({ key, from });
    if (this.chosen?.key !== key) return;
    this.messages = from === 0 ? messages : [...this.messages, ...messages];
    this.nextMessage = next;
  }

  async sumUp(by: UsageReport['by'] | null): Promise<void> {
    this.by = by;
    if (by === null) return;
    const usage = await this.#rpc.usage({ by, ...(this.machine && { machine: this.machine }) });
    if (this.by === by) this.usage = usage;
  }

  get rpc(): PastRpc {
    return this.#rpc;
  }

  async #ask(cursor: string | null): Promise<void> {
    const number = ++this.#asked;
    this.isLoading = true;
    const { text, agent, cwd, days, machine } = this;
    try {
      const page = await this.#rpc.page({
        text,
        ...(agent !== '' && { agent }),
        ...(cwd !== '' && { cwd }),
        ...(days > 0 && { sinceMs: Date.now() - days * DAY_MS }),
        ...(machine === '' && { isHere: true }),
        ...(machine && { machine }),
        ...(cursor !== null && { cursor }),
      });
      if (number !== this.#asked) return;
      const wanted = this.#wanted;
      this.#wanted = null;
      const rows = cursor === null ? page.rows : [...this.rows, ...page.rows];
      this.rows = wanted && !rows.some(({ key }) => key === wanted.key) ? [wanted, ...rows] : rows;
      this.next = page.next;
      const before = cursor === null ? [] : this.silent;
      this.silent = [...new Set([...before, ...(page.silent ?? [])])];
      if (page.facets) this.facets = page.facets;
      this.error = null;
    } catch (error) {
      if (number === this.#asked) this.error = error instanceof Error ? error.message : String(error);
    } finally {
      if (number === this.#asked) {
        this.isLoading = false;
        this.isKnown = true;
      }
    }
  }
}
