import type { AgentRow, AgentsChange } from '../../contract/agents.ts';
import type { TerminalChange } from '../../contract/api.ts';
import type { AgentPresence, ApprovalChange } from '../../contract/mcp/approval.ts';
import type { Notice } from '../../contract/notice.ts';
import type { ProjectsView } from '../../contract/project.ts';
import { byNeed } from '../../shared/byNeed.ts';
import { Emitter } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import { detach } from '../../util/strayErrors.ts';
import type { Machines } from '../Machines.ts';
import type { ListChange, RemoteList } from '../RemoteList.ts';
import { pastEverywhere } from './mergedPast.ts';
import { followProjects } from './mergedProjects.ts';
import { findEverywhere } from './mergedSearch.ts';

export interface MergedCall {
  readonly machines: Machines;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
  /** What this machine yields, or its answer. */
  readonly own: unknown;
}

export type Merge = (call: MergedCall) => AsyncIterable<unknown> | Promise<unknown>;

/** Calls that have the items of all machines, by path. */
export const MERGED = {
  'terminal.onChange': ({ machines, own, signal }: MergedCall) =>
    beside(own as AsyncIterable<TerminalChange>, machines.lists.terminals, {
      all: (terminals): TerminalChange => {
        const { unheard } = machines.lists.terminals;
        return { type: 'all', terminals: [...terminals], ...(unheard.length > 0 && { unheard }) };
      },
      put: (terminal): TerminalChange => ({ type: 'changed', terminal }),
      gone: (id): TerminalChange => ({ type: 'removed', id }),
      signal,
    }),
  'agent.onChange': ({ machines, own, signal }: MergedCall) =>
    beside(own as AsyncIterable<AgentsChange>, machines.lists.agents, {
      all: (rows): AgentsChange => ({ type: 'all', rows }),
      put: (row): AgentsChange => ({ type: 'row', row }),
      gone: (conversationId): AgentsChange => ({ type: 'removed', conversationId }),
      signal,
    }),
  'agent.rows': async ({ machines, own }: MergedCall): Promise<readonly AgentRow[]> => {
    const ours = (await own) as readonly AgentRow[];
    const known = new Set(ours.map(({ conversationId }) => conversationId));
    const others = machines.lists.agents.all.filter(({ conversationId }) => !known.has(conversationId));
    return [...ours, ...others].toSorted(byNeed);
  },
  'approval.onChange': ({ machines, own, signal }: MergedCall) =>
    beside(own as AsyncIterable<ApprovalChange>, machines.lists.approvals, {
      all: (approvals): ApprovalChange => ({ type: 'all', approvals: [...approvals] }),
      put: (approval): ApprovalChange => ({ type: 'asked', approval }),
      gone: (id): ApprovalChange => ({ type: 'gone', id, outcome: 'cancelled' }),
      signal,
    }),
  'approval.presence': ({ machines, own, signal }: MergedCall) =>
    beside(own as AsyncIterable<AgentPresence>, machines.lists.presence, {
      all: null,
      put: (presence) => presence,
      gone: () => null,
      signal,
    }),
  'system.onNotice': ({ machines, own, signal }: MergedCall) =>
    beside(own as AsyncIterable<Notice>, machines.lists.notices, {
      all: null,
      put: (notice) => notice,
      gone: (key): Notice => ({ ...GONE_NOTICE, key }),
      signal,
    }),
  'project.onChange': ({ machines, own, signal }: MergedCall) =>
    followProjects(machines, own as AsyncIterable<ProjectsView>, signal),
  'search.find': findEverywhere,
  'agent.past.page': pastEverywhere,
} satisfies Record<string, Merge>;

const GONE_NOTICE = { level: 'info', text: '', action: null, terminalId: null, atMs: 0, cleared: true } as const;

/** More changes at once become one with all items: a window draws its list after each. */
const FEW = 20;

interface Beside<T, C> {
  /** Null for a list whose own stream does not begin with all items, and has no change with all. */
  readonly all: ((items: readonly T[]) => C) | null;
  put(item: T): C;
  /** Null to yield nothing. */
  gone(id: string): C | null;
  readonly signal: AbortSignal | undefined;
}

/** Yields our own changes, and those of the other machines in the same form. */
async function* beside<T, C>(own: AsyncIterable<C>, list: RemoteList<T>, how: Beside<T, C>): AsyncGenerator<C> {
  const both = new Emitter<C>();
  const ended = new AbortController();
  const joined = new JoinedList(list, how, (change) => both.fire(change));
  const others = list.onChange((change) => joined.theirs(change));
  let failure: unknown;
  const pump = async (): Promise<void> => {
    try {
      joined.begin();
      for await (const change of own) {
        joined.ours(change);
        if (how.signal?.aborted) break;
      }
    } catch (error) {
      failure = error;
    } finally {
      ended.abort();
    }
  };
  let isFirst = true;
  const snapshot = (): C[] => {
    if (!isFirst) throw new Error('This reader is too far behind and must begin again.');
    isFirst = false;
    detach('mergedLists', pump()); // subscribed by now; its failure is thrown below
    return [];
  };
  try {
    yield* follow(both.on, snapshot, how.signal, ended.signal);
    if (failure !== undefined) throw failure;
  } finally {
    others.dispose();
    both.dispose();
  }
}

/** The items of all machines for one reader. */
class JoinedList<T, C> {
  readonly #list: RemoteList<T>;
  readonly #how: Beside<T, C>;
  readonly #say: (change: C) => void;
  /** Items of this machine, which an item of another one never replaces. */
  readonly #ours = new Map<string, T>();
  #hasBegun = false;

  constructor(list: RemoteList<T>, how: Beside<T, C>, say: (change: C) => void) {
    this.#list = list;
    this.#how = how;
    this.#say = say;
  }

  /** For a list whose own stream may be silent for hours; others begin with all items of this machine. */
  begin(): void {
    if (this.#how.all !== null) return;
    this.#hasBegun = true;
    this.#sayAll();
  }

  ours(change: C): void {
    this.#hasBegun = true;
    const parts = this.#list.partsOf(change);
    if (parts && 'all' in parts) {
      this.#ours.clear();
      for (const item of parts.all) this.#ours.set(this.#list.idOf(item), item);
      return this.#sayAll();
    }
    if (parts && 'put' in parts) this.#ours.set(this.#list.idOf(parts.put), parts.put);
    if (parts && 'gone' in parts) this.#ours.delete(parts.gone);
    this.#say(change);
  }

  theirs(change: ListChange<T>): void {
    if (!this.#hasBegun) return;
    if (change.type === 'put') this.#put(change.item);
    else if (change.type === 'gone') this.#gone(change.id);
    else if (this.#how.all !== null && (change.isFirst || change.items.length + change.gone.length > FEW))
      this.#sayAll();
    else {
      for (const id of change.gone) this.#gone(id);
      for (const item of change.items) this.#put(item);
    }
  }

  #put(item: T): void {
    if (!this.#ours.has(this.#list.idOf(item))) this.#say(this.#how.put(item));
  }

  #gone(id: string): void {
    const change = this.#ours.has(id) ? null : this.#how.gone(id);
    if (change !== null) this.#say(change);
  }

  #sayAll(): void {
    const others = this.#list.all.filter((item) => !this.#ours.has(this.#list.idOf(item)));
    if (this.#how.all) this.#say(this.#how.all([...this.#ours.values(), ...others]));
    else for (const item of others) this.#say(this.#how.put(item));
  }
}
