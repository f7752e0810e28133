import { SvelteMap } from 'svelte/reactivity';
import type { AgentRow, AgentsChange } from '../../src-main/contract/agents.ts';
import { machineOf } from '../../src-main/shared/machineIds.ts';
import { Past } from '../history/Past.svelte.ts';
import type { AgentRpc } from '../rpc/AgentRpc.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { SETTLED_MS } from '../ui/touch/settledClicks.ts';
import { isLive, shownQuestion } from './agentFacts.ts';
import { groupAgents } from './groupAgents.ts';
import { Starting } from './start/Starting.svelte.ts';

/** An id, and the ms of `performance.now` since which it is there. */
interface Since {
  readonly id: string | undefined;
  readonly ms: number;
}

/** The page of all agents. Follows the core only while it is open. */
export class Agents {
  readonly #rpc: AgentRpc;
  /** History: past conversations. */
  readonly past: Past;
  readonly #rows = new SvelteMap<string, AgentRow>();
  /** The question of each row by conversation id, and the first row, each with the ms of `performance.now` at which the page got it. */
  readonly #asked = new Map<string, Since>();
  #first: Since | undefined;
  #stop: Stop | undefined;
  isOpen = $state(false);
  /** False until the core has sent its list. */
  isKnown = $state(false);
  #chosenId = $state<string | null>(null);
  /** Id of the question whose answer is being sent, by row; and the last message about a row, for example a refusal. */
  readonly answering = new SvelteMap<string, string>();
  readonly remarks = new SvelteMap<string, string>();

  /** Texts of replies that were not sent, by conversation id. */
  readonly drafts = new SvelteMap<string, string>();

  /** The option for which the person writes a text; null while nothing is written. */
  texting = $state<{ questionId: string; option: number } | null>(null);

  /** The form that starts an agent. */
  readonly starting = new Starting();

  /** Gives the keyboard to the page, while it is open. */
  takeKeys: () => void = () => undefined;

  /** The machine whose rows are shown: its key, '' for this one; null for all. */
  machine = $state<string | null>(null);
  readonly groups = $derived(groupAgents([...this.#rows.values()].filter((row) => this.#isShown(row))));
  readonly rows = $derived(this.groups.flatMap(({ rows }) => rows));
  readonly chosen = $derived(this.rows.find(({ conversationId }) => conversationId === this.#chosenId) ?? this.rows[0]);
  /** The terminal whose conversations the page shows; null while it is closed or has no row. */
  readonly terminalId = $derived(this.isOpen ? (this.chosen?.terminalId ?? null) : null);

  constructor(rpc: AgentRpc) {
    this.#rpc = rpc;
    this.past = new Past(rpc.past);
  }

  open(): void {
    this.past.close(); // one page at a time covers the terminals
    this.isOpen = true;
    this.#stop ??= this.#rpc.onChange((change) => this.apply(change));
  }

  close(): void {
    this.isOpen = false;
    this.#stop?.();
    this.#stop = undefined;
    this.#rows.clear();
    this.#asked.clear();
    this.remarks.clear();
    this.isKnown = false;
  }

  dispose(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  apply(change: AgentsChange): void {
    if (change.type === 'removed') this.#rows.delete(change.conversationId);
    else if (change.type === 'row') this.#put(change.row);
    else {
      this.#rows.clear();
      for (const row of change.rows) this.#put(row);
      this.isKnown = true;
    }
    this.#first = since(this.rows[0]?.conversationId, this.#first);
  }

  /** Whether the person had time to see the question of that row, and that it is the row for which the keys are. */
  isSettled({ conversationId }: AgentRow): boolean {
    const isChoice = this.#chosenId === conversationId;
    const changes = [this.#asked.get(conversationId), isChoice ? undefined : this.#first];
    return changes.every((change) => performance.now() - (change?.ms ?? Number.NEGATIVE_INFINITY) >= SETTLED_MS);
  }

  #isShown({ terminalId }: AgentRow): boolean {
    return this.machine === null || this.machine === (machineOf(terminalId) ?? '');
  }

  #put(row: AgentRow): void {
    const before = this.#rows.get(row.conversationId);
    if (before && before.question?.id !== row.question?.id) this.remarks.delete(row.conversationId);
    this.#rows.set(row.conversationId, row);
    this.#asked.set(row.conversationId, since(shownQuestion(row), this.#asked.get(row.conversationId)));
  }

  /** Whether there is something to reply to, or a reply that did not get there. */
  showsReply(row: AgentRow): boolean {
    return isLive(row) || row.queued.length > 0 || this.drafts.has(row.conversationId);
  }

  choose(conversationId: string): void {
    this.#chosenId = conversationId;
  }

  /** The row `by` places further; the first or last one at the ends. */
  step(by: number): AgentRow | undefined {
    const at = this.chosen ? this.rows.indexOf(this.chosen) : -1;
    const next = this.rows[Math.max(0, Math.min(this.rows.length - 1, at + by))];
    if (next) this.choose(next.conversationId);
    return next;
  }

  /** The next row below that waits for the person, or the first one. */
  nextWaiting(): AgentRow | undefined {
    const at = this.chosen ? this.rows.indexOf(this.chosen) : -1;
    const waiting = this.rows.filter(({ question }) => question !== null);
    const next = waiting.find((row) => this.rows.indexOf(row) > at) ?? waiting[0];
    if (next) this.choose(next.conversationId);
    return next;
  }

  get rpc(): AgentRpc {
    return this.#rpc;
  }
}

function since(id: string | undefined, before: Since | undefined): Since {
  return before && before.id === id ? before : { id, ms: performance.now() };
}
