import type { AgentsChange } from '../../contract/agents.ts';
import type { TerminalChange } from '../../contract/api.ts';
import type { AgentPresence, ApprovalChange } from '../../contract/mcp/approval.ts';
import type { ProjectsView } from '../../contract/project.ts';
import { Emitter } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import { detach } from '../../util/strayErrors.ts';
import type { Machines } from '../Machines.ts';
import type { ListChange, RemoteList } from '../RemoteList.ts';
import { followProjects } from './mergedProjects.ts';
import { findEverywhere } from './mergedSearch.ts';

export interface MergedCall {
  readonly machines: Machines;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
  /** What this machine yields. */
  readonly own: AsyncIterable<unknown>;
}

/** Subscriptions that yield the items of all machines, by path. */
export const MERGED: Readonly<Record<string, (call: MergedCall) => AsyncIterable<unknown>>> = {
  'terminal.onChange': ({ machines, own, signal }) => {
    const { terminals } = machines.lists;
    const withAll = (change: TerminalChange): TerminalChange =>
      change.type === 'all' ? { ...change, terminals: [...change.terminals, ...terminals.all] } : change;
    return beside(own as AsyncIterable<TerminalChange>, terminals, {
      withAll,
      put: (terminal): TerminalChange => ({ type: 'changed', terminal }),
      gone: (id): TerminalChange => ({ type: 'removed', id }),
      signal,
    });
  },
  'agent.onChange': ({ machines, own, signal }) => {
    const { agents } = machines.lists;
    const local = new Set<string>(); // a machine's row must not replace one of ours
    const others = () => agents.all.filter((row) => !local.has(row.conversationId));
    const withAll = (change: AgentsChange): AgentsChange => {
      if (change.type === 'row') local.add(change.row.conversationId);
      if (change.type !== 'all') return change;
      for (const { conversationId } of change.rows) local.add(conversationId);
      return { ...change, rows: [...change.rows, ...others()] };
    };
    return beside(own as AsyncIterable<AgentsChange>, agents, {
      withAll,
      put: (row): AgentsChange | null => (local.has(row.conversationId) ? null : { type: 'row', row }),
      gone: (conversationId): AgentsChange | null =>
        local.has(conversationId) ? null : { type: 'removed', conversationId },
      signal,
    });
  },
  'approval.onChange': ({ machines, own, signal }) => {
    const { approvals } = machines.lists;
    const withAll = (change: ApprovalChange): ApprovalChange =>
      change.type === 'all' ? { ...change, approvals: [...change.approvals, ...approvals.all] } : change;
    return beside(own as AsyncIterable<ApprovalChange>, approvals, {
      withAll,
      put: (approval): ApprovalChange => ({ type: 'asked', approval }),
      gone: (id): ApprovalChange => ({ type: 'gone', id, outcome: 'cancelled' }),
      signal,
    });
  },
  'approval.presence': ({ machines, own, signal }) => {
    const { presence } = machines.lists;
    return beside(own as AsyncIterable<AgentPresence>, presence, {
      first: () => presence.all,
      withAll: (change) => change,
      put: (change) => change,
      gone: () => null,
      signal,
    });
  },
  'project.onChange': ({ machines, own, signal }) =>
    followProjects(machines, own as AsyncIterable<ProjectsView>, signal),
  'search.find': findEverywhere,
};

interface Beside<T, C> {
  /** Changes to yield first, for a list whose own stream does not begin with all items. */
  first?(): readonly C[];
  /** A change of ours; one with all items also gets the other machines' items. */
  withAll(change: C): C;
  /** Null to yield nothing. */
  put(item: T): C | null;
  gone(id: string): C | null;
  readonly signal: AbortSignal | undefined;
}

/** Yields our own changes, and those of the other machines in the same form. */
async function* beside<T, C>(own: AsyncIterable<C>, list: RemoteList<T>, how: Beside<T, C>): AsyncGenerator<C> {
  const both = new Emitter<C>();
  const ended = new AbortController();
  const say = (changes: readonly (C | null)[]): void => {
    for (const change of changes) if (change !== null) both.fire(change);
  };
  let hasBegun = how.first !== undefined; // otherwise our stream begins with all items, and replaces earlier ones
  const others = list.onChange((change) => {
    if (hasBegun) say(changesOf(change, how));
  });
  let failure: unknown;
  const pump = async (): Promise<void> => {
    try {
      if (how.first) {
        hasBegun = true; // our own stream may be silent for hours
        say(how.first());
      }
      for await (const change of own) {
        hasBegun = true;
        both.fire(how.withAll(change));
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

function changesOf<T, C>(change: ListChange<T>, how: Beside<T, C>): (C | null)[] {
  if (change.type === 'put') return [how.put(change.item)];
  if (change.type === 'gone') return [how.gone(change.id)];
  return [...change.gone.map((id) => how.gone(id)), ...change.items.map((item) => how.put(item))];
}
