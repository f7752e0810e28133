import { z } from 'zod';
import type { AgentRow } from '../contract/agents.ts';
import type { AgentPresence, Approval } from '../contract/mcp/approval.ts';
import type { Notice } from '../contract/notice.ts';
import type { TerminalView } from '../contract/terminal.ts';
import type { Notification } from '../contract/window/notification.ts';
import { onMachine } from '../shared/machineIds.ts';
import type { Clock } from '../util/Clock.ts';
import { type ListKind, RemoteList } from './RemoteList.ts';
import {
  RemoteAgent,
  RemoteApproval,
  RemoteNotice,
  RemoteNotification,
  RemotePresence,
  RemoteTerminal,
} from './remoteShapes.ts';

const Items = z.array(z.unknown());
const NoticeChange = z.looseObject({ key: z.string(), cleared: z.boolean() });

const TERMINALS: ListKind<TerminalView> = {
  path: 'terminal.onChange',
  shape: RemoteTerminal,
  parts: (change) => read(change, { all: 'terminals', put: { changed: 'terminal' }, gone: 'id' }),
  rename: (key, view) => ({ ...view, id: onMachine(key, view.id) }),
  idOf: ({ id }) => id,
  idOfGone: onMachine,
};

const AGENTS: ListKind<AgentRow> = {
  path: 'agent.onChange',
  shape: RemoteAgent,
  parts: (change) => read(change, { all: 'rows', put: { row: 'row' }, gone: 'conversationId' }),
  rename: (key, row) => ({
    ...row,
    terminalId: onMachine(key, row.terminalId),
    queued: row.queued.map((reply) => ({ ...reply, id: onMachine(key, reply.id) })),
  }),
  idOf: ({ conversationId }) => conversationId,
  idOfGone: (_key, id) => id,
};

const APPROVALS: ListKind<Approval> = {
  path: 'approval.onChange',
  shape: RemoteApproval,
  parts: (change) => read(change, { all: 'approvals', put: { asked: 'approval' }, gone: 'id' }),
  rename: (key, approval) => ({
    ...approval,
    ...{ id: onMachine(key, approval.id), terminalId: onMachine(key, approval.terminalId) },
  }),
  idOf: ({ id }) => id,
  idOfGone: onMachine,
};

export const PRESENCE: ListKind<AgentPresence> = {
  path: 'approval.presence',
  shape: RemotePresence,
  parts: (change) => ({ put: change }),
  rename: (key, presence) => ({
    ...presence,
    terminalId: onMachine(key, presence.terminalId),
    lease: presence.lease && { ...presence.lease, terminalId: onMachine(key, presence.lease.terminalId) },
    queue: presence.queue.map((one) => ({ ...one, blockId: onMachine(key, one.blockId) })),
  }),
  idOf: ({ terminalId }) => terminalId,
  idOfGone: onMachine,
  cleared: ({ terminalId }) => ({ terminalId, lease: null, running: null, queue: [] }),
};

const NOTIFICATIONS: ListKind<Notification> = {
  path: 'notification.onChange',
  shape: RemoteNotification,
  parts: (change) => read(change, { all: 'notifications', put: { new: 'notification' }, gone: null }),
  rename: (key, one) => ({ ...one, terminalId: onMachine(key, one.terminalId) }),
  idOf: ({ terminalId, seq, atMs }) => `${terminalId} ${seq} ${atMs}`, // a restarted core counts from 1
  idOfGone: onMachine,
};

export const NOTICES: ListKind<Notice> = {
  path: 'system.onNotice',
  shape: RemoteNotice,
  parts: (change) => {
    const { key, cleared } = NoticeChange.safeParse(change).data ?? {};
    return key !== undefined && cleared ? { gone: key } : { put: change };
  },
  rename: (key, notice) => ({
    ...notice,
    key: onMachine(key, notice.key),
    terminalId: notice.terminalId === null ? null : onMachine(key, notice.terminalId),
  }),
  idOf: ({ key }) => key,
  idOfGone: onMachine,
  cleared: (notice) => ({ ...notice, cleared: true }),
};

export type RemoteLists = ReturnType<typeof remoteLists>;

/** What all machines share with this one. The caller disposes each. */
export function remoteLists(clock: Clock) {
  return {
    terminals: new RemoteList(TERMINALS, clock),
    agents: new RemoteList(AGENTS, clock),
    approvals: new RemoteList(APPROVALS, clock),
    presence: new RemoteList(PRESENCE, clock),
    notifications: new RemoteList(NOTIFICATIONS, clock),
    notices: new RemoteList(NOTICES, clock),
  };
}

interface Fields {
  readonly all: string;
  readonly put: Readonly<Record<string, string>>;
  readonly gone: string | null;
}

/** Reads `{type: 'all', …}`, `{type: NAME, …}` and changes that name a removed item. */
function read(change: unknown, { all, put, gone }: Fields): ReturnType<ListKind<unknown>['parts']> {
  const values = z.record(z.string(), z.unknown()).safeParse(change).data;
  if (values === undefined) return null;
  if (values.type === 'all') {
    const items = Items.safeParse(values[all]);
    return items.success ? { all: items.data } : null;
  }
  const field = put[String(values.type)];
  if (field !== undefined) return { put: values[field] };
  const id = gone === null ? undefined : values[gone];
  return typeof id === 'string' ? { gone: id } : null;
}
