import type {
  AuditChange,
  AuditCursor,
  AuditFilter,
  AuditLine,
  AuditState,
} from '../../src-main/contract/mcp/audit.ts';
import type { PolicyRules } from '../../src-main/contract/mcp/policyRules.ts';
import { formatDay } from '../app/clock.svelte.ts';
import { strings } from '../app/strings.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';
import { DECISIONS, type DecisionChoice, KINDS, type KindChoice } from './auditLabels.ts';

/** Entries per request. */
const PAGE = 500;

export interface AuditChoice {
  client: string | null;
  pty: string | null;
  kind: KindChoice | null;
  decision: DecisionChoice;
}

/** An item of the list: an entry, or the day of the entries below it. */
export type AuditItem = { type: 'day'; key: string; day: string } | { type: 'line'; key: string; line: AuditLine };

const EVERYTHING: AuditChoice = { client: null, pty: null, kind: null, decision: 'all' };

/** The audit log as the window shows it: newest first, page by page, with new entries while it is open. */
export class Audit {
  readonly #rpc: Rpc;
  #stop: Stop | undefined;
  /** Counts requests, so that an answer to an earlier one is dropped. */
  #asked = 0;
  #next: AuditCursor | null = null;
  /** Entries written while the first page was loading. */
  #meanwhile: AuditLine[] = [];
  /** Number of the newest entry of the log. */
  #newestN = 0;

  isOpen = $state(false);
  choice = $state.raw<AuditChoice>(EVERYTHING);
  lines = $state.raw<readonly AuditLine[]>([]);
  isLoading = $state(false);
  /** Why the entries could not be read. */
  fault = $state<string | null>(null);
  /** There are older entries. */
  hasMore = $state(false);
  /** Number of the selected entry. */
  chosenN = $state<number | null>(null);
  isDetailOpen = $state(false);

  state = $state.raw<AuditState | null>(null);
  isChecking = $state(false);
  checkFault = $state<string | null>(null);
  /** Entries that arrived since the log was opened or checked. */
  #live = $state.raw<readonly AuditLine[]>([]);
  /** Titles of terminals without a tab, by id. */
  titles = $state.raw<Readonly<Record<string, string>>>({});
  /** The rules of the current policy. */
  rules = $state.raw<PolicyRules | null>(null);

  readonly clients = $derived(distinct(this.state?.clients ?? [], this.#live, ({ client }) => client));
  readonly terminals = $derived(distinct(this.state?.terminals ?? [], this.#live, ({ pty }) => pty));
  /** Number of entries since the check. */
  readonly sinceCheck = $derived(this.#live.filter(({ n }) => n > (this.state?.verdict.last ?? 0)).length);
  /** Numbers of entries with integrity problems. */
  readonly broken = $derived(
    new Set(this.state?.verdict.breaks.flatMap(({ line, n }) => (line === null || n === null ? [] : [n]))),
  );
  readonly isFiltered = $derived(
    Object.entries(EVERYTHING).some(([name, value]) => this.choice[name as keyof AuditChoice] !== value),
  );
  readonly items = $derived(withDays(this.lines, Date.now()));
  readonly chosen = $derived(this.lines.find(({ n }) => n === this.chosenN));

  constructor(rpc: Rpc) {
    this.#rpc = rpc;
  }

  open(choice: Partial<AuditChoice> = {}): void {
    this.isOpen = true;
    this.isDetailOpen = false;
    this.chosenN = null;
    this.#stop ??= this.#rpc.audit.onChange((change) => this.apply(change));
    this.show({ ...EVERYTHING, ...choice });
    this.check();
    this.#readTitles();
    this.#readRules();
  }

  close(): void {
    this.isOpen = false;
    this.#stop?.();
    this.#stop = undefined;
    this.#asked += 1;
    this.#live = [];
    this.#newestN = 0;
  }

  /** Changes the filter. */
  show(change: Partial<AuditChoice> = {}): void {
    this.choice = { ...this.choice, ...change };
    this.#next = null;
    this.#meanwhile = [];
    this.lines = [];
    this.hasMore = false;
    void this.#load();
  }

  /** Loads the next page, unless all are loaded or one is loading. */
  more(): void {
    if (this.hasMore && !this.isLoading && this.fault === null) void this.#load();
  }

  /** Tries again after a page failed to load. */
  again(): void {
    void this.#load();
  }

  /** Verifies the whole log again. */
  check(): void {
    if (this.isChecking) return;
    this.isChecking = true;
    this.checkFault = null;
    this.#rpc.audit
      .check()
      .then(
        (state) => {
          this.state = state;
        },
        (error: unknown) => {
          this.checkFault = messageOf(error);
        },
      )
      .finally(() => {
        this.isChecking = false;
      });
  }

  apply(change: AuditChange): void {
    if (change.type === 'from') {
      const isBehind = this.#newestN > 0 && change.n > this.#newestN; // the connection was lost for a while
      this.#newestN = change.n;
      if (isBehind) this.show();
      return;
    }
    const { line } = change;
    this.#newestN = line.n;
    this.#live = [...this.#live, line];
    if (this.isLoading && this.lines.length === 0) this.#meanwhile.push(line);
    else this.#put([line]);
  }

  /** Selects the entry `by` places further down; without a selection, the first one. */
  step(by: number): void {
    const at = this.lines.findIndex(({ n }) => n === this.chosenN);
    const to = at < 0 ? 0 : Math.max(0, Math.min(this.lines.length - 1, at + by));
    this.chosenN = this.lines[to]?.n ?? null;
  }

  /** Shows one entry with its details. */
  choose(n: number): void {
    this.chosenN = n;
    this.isDetailOpen = true;
  }

  dispose(): void {
    this.close();
  }

  async #load(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    this.isLoading = true;
    this.fault = null;
    try {
      // continues after a page without matching entries
      for (let hasFound = false; !hasFound; ) {
        const before = this.#next;
        const page = await this.#rpc.audit.page({ limit: PAGE, filter: this.#filter, ...(before && { before }) });
        if (asked !== this.#asked) return;
        this.lines = [...this.lines, ...page.lines];
        this.#next = page.next;
        this.hasMore = page.next !== null;
        hasFound = page.lines.length > 0 || page.next === null;
      }
      this.#put(this.#meanwhile.splice(0));
    } catch (error) {
      if (asked === this.#asked) this.fault = messageOf(error);
    } finally {
      if (asked === this.#asked) this.isLoading = false;
    }
  }

  /** Adds new entries at the top if they pass the filter and are not listed yet. */
  #put(written: readonly AuditLine[]): void {
    const { client, pty, kind, decision } = this.choice;
    const wanted = decisionsOf(decision);
    const areReads = areReadsOf(kind);
    const newest = this.lines[0]?.n ?? 0;
    const fresh = written.filter(
      (line) =>
        line.n > newest &&
        (client === null || line.client === client) &&
        (pty === null || line.pty === pty) &&
        (areReads === null || areReads === (line.reads !== null)) &&
        (wanted === null || wanted.includes(line.decision)),
    );
    if (fresh.length > 0) this.lines = [...fresh.toReversed(), ...this.lines];
  }

  get #filter(): AuditFilter {
    const { client, pty, kind, decision } = this.choice;
    const decisions = decisionsOf(decision);
    const reads = areReadsOf(kind);
    return {
      ...(client !== null && { client }),
      ...(pty !== null && { pty }),
      ...(reads !== null && { reads }),
      ...(decisions !== null && { decisions: [...decisions] }),
    };
  }

  #readRules(): void {
    this.#rpc.audit.rules().then(
      (rules) => {
        this.rules = rules ?? null;
      },
      () => undefined, // without rules, their names are shown; the list reports a failed connection
    );
  }

  #readTitles(): void {
    this.#rpc.recording.list().then(
      (recorded) => {
        this.titles = Object.fromEntries(
          recorded.map(({ id, name, shell, cwd }) => [id, name ?? strings.tabs.shellIn(shell, cwd)]),
        );
      },
      () => undefined, // without titles, closed terminals are shown by id; the list reports a failed connection
    );
  }
}

function decisionsOf(choice: DecisionChoice): readonly AuditLine['decision'][] | null {
  return DECISIONS.find(({ value }) => value === choice)?.of ?? null;
}

function areReadsOf(choice: KindChoice | null): boolean | null {
  return KINDS.find(({ value }) => value === choice)?.areReads ?? null;
}

function distinct(
  known: readonly string[],
  heard: readonly AuditLine[],
  nameOf: (line: AuditLine) => string | null,
): string[] {
  const names = heard.flatMap((line) => nameOf(line) ?? []);
  return [...new Set([...known, ...names])];
}

function withDays(lines: readonly AuditLine[], nowMs: number): AuditItem[] {
  const items: AuditItem[] = [];
  // The current day, from midnight to midnight: formatting day names is slow, and there are many entries.
  let fromMs = 0;
  let toMs = 0;
  for (const line of lines) {
    if (line.ts < fromMs || line.ts >= toMs) {
      const at = new Date(line.ts);
      fromMs = new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
      toMs = new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1).getTime();
      items.push({ type: 'day', key: `day-${line.n}`, day: formatDay(line.ts, nowMs) });
    }
    items.push({ type: 'line', key: String(line.n), line });
  }
  return items;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
