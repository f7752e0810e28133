import { z } from 'zod';
import type { AgentQuestion, AgentRow, QueuedReply } from '../contract/agents.ts';
import { AgentState, StateEvidence } from '../contract/chat/chat.ts';
import { ChatPlan, SubAgent } from '../contract/chat/progress.ts';
import { Approval, type Lease } from '../contract/mcp/approval.ts';
import type { Notice } from '../contract/notice.ts';
import type { PastPage, PastRow } from '../contract/past.ts';
import type { Project } from '../contract/project.ts';
import { Quality, type TerminalView } from '../contract/terminal.ts';
import type { Notification } from '../contract/window/notification.ts';
import { cleanLine } from '../util/cleanText.ts';
import { Time } from './answers/remoteValues.ts';

/**
 * Items of the lists that another machine shares. A value with a wrong shape is dropped: it could hide our own items, or break the window. Texts are
 * bounded and as untrusted as terminal output.
 */
const Text = z.string().max(20_000);
const Short = z.string().max(1_000);
/** One line that is shown beside our text: cut and cleaned as a program's title is here. */
const Line = z.string().transform((text) => cleanLine(text));
const Path = z.string().max(4_096);
const Count = z.number().finite();
/** More than a person has open, and as many as a window draws without a pause. */
export const MAX_ITEMS = 300;

/** Ids on this machine are longer by the machine's key, so the machine's own ids must leave room. */
const RemoteId = z.string().regex(/^(?!on-)[A-Za-z0-9_-]{1,50}$/);

export const RemoteInfo = z.object({
  ...{ version: Line, hostName: Line, home: Path, platform: Short },
  coreId: Short.exactOptional(), // missing in earlier versions
});

const Agent = z.object({
  ...{ name: Line, label: Line, state: AgentState, evidence: z.nullable(StateEvidence), sinceMs: Time },
  ...{ conversationId: Short, asks: Line.nullable() },
});

export const RemoteTerminal = z.object({
  ...{ id: RemoteId, shell: Line, origin: z.enum(['import', 'record']).exactOptional(), name: Line.nullable() },
  ...{ isHidden: z.literal(true).exactOptional(), openedBy: Line.exactOptional(), title: Line, cwd: Path },
  ...{ gitBranch: Line.nullable(), cols: Count, rows: Count, createdMs: Time, state: z.enum(['live', 'exited']) },
  ...{ exitCode: Count.nullable(), signal: Short.nullable(), quality: Quality, atPrompt: z.boolean() },
  ...{ runningBlockId: Short.nullable(), lastExitCode: Count.nullable(), altScreen: z.boolean() },
  keyTaker: z.object({ name: Line, words: z.array(Short).max(100) }).nullable(),
  ...{ recordFault: Line.nullable(), bell: z.boolean(), agent: Agent.nullable() },
  failure: z.object({ atMs: Time, exitCode: Count, signal: Short.nullable() }).nullable().default(null), // missing in earlier versions
  notification: z.object({ title: Line.nullable(), body: Line }).nullable(),
  progress: z
    .object({ state: z.enum(['normal', 'error', 'indeterminate', 'paused']), percent: Count.nullable() })
    .nullable(),
}) satisfies z.ZodType<TerminalView, unknown>;

const Question = z.object({
  ...{ id: Short, text: Text, options: z.array(Text).max(100).readonly() },
  obstacle: z.enum(['unread', 'checkboxes', 'pointer']).nullable(),
  checked: z.array(z.boolean().nullable()).max(100).readonly(),
  ...{ takesText: z.array(z.boolean()).max(100).readonly(), hasNext: z.boolean() },
}) satisfies z.ZodType<AgentQuestion, unknown>;

const Reply = z.object({
  ...{ id: RemoteId, text: z.string().max(200_000), queuedMs: Time },
  waitsFor: z.enum(['turn', 'answer', 'draft', 'input', 'agent']),
}) satisfies z.ZodType<QueuedReply, unknown>;

export const RemoteAgent = z.object({
  ...{ terminalId: RemoteId, conversationId: Short, agent: Line, label: Line, version: Line.nullable() },
  ...{ title: Line, cwd: Path.nullable(), project: Path.nullable().default(null), branch: Line.nullable() },
  ...{ state: AgentState, sinceMs: Time },
  ...{ evidence: z.nullable(StateEvidence), said: Text, isTool: z.boolean(), plan: z.nullable(ChatPlan) },
  ...{ subAgents: z.array(SubAgent).max(1_000).readonly(), files: Count.nullable(), question: Question.nullable() },
  queued: z.array(Reply).max(1_000).readonly(),
}) satisfies z.ZodType<AgentRow, unknown>;

export const RemoteApproval = Approval.extend({
  ...{ id: RemoteId, terminalId: RemoteId, blockId: RemoteId, cmd: z.string().max(1_000_000) },
});

const RemoteLease = z.object({
  ...{ id: Short, terminalId: RemoteId, client: Short, reason: Text, fromMs: Time, untilMs: Time },
  state: z.enum(['held', 'with-user']),
}) satisfies z.ZodType<Lease, unknown>;

export const RemotePresence = z.object({
  ...{ terminalId: RemoteId, lease: RemoteLease.nullable(), running: Short.nullable() },
  queue: z
    .array(
      z.object({
        ...{ blockId: RemoteId, client: Short, cmd: z.string().max(1_000_000) },
        state: z.enum(['queued', 'awaiting_approval', 'held']),
      }),
    )
    .max(1_000),
});

export const RemoteNotification = z.object({
  ...{ seq: Count, kind: z.enum(['command', 'program', 'agentAsks', 'agentDone']), terminalId: RemoteId },
  ...{ blockId: Short.nullable(), title: Line, body: Line, exitCode: Count.nullable(), durationMs: Count.nullable() },
  ...{ atMs: Time, isRead: z.boolean() },
}) satisfies z.ZodType<Notification, unknown>;

/** Without what it offers: a button here would act on this machine. */
export const RemoteNotice = z.object({
  ...{ key: Short, level: z.enum(['info', 'warning', 'error']), text: Line, action: Line.nullable() },
  ...{ terminalId: RemoteId.nullable(), atMs: Time, cleared: z.boolean() },
}) satisfies z.ZodType<Notice, unknown>;

const RemoteProject = z.object({
  ...{ root: Path, isRepository: z.boolean(), branch: Line.nullable(), ahead: Count.nullable() },
  ...{ behind: Count.nullable(), dirty: Count.nullable(), unknown: z.enum(['unsafe', 'slow', 'failed']).nullable() },
}) satisfies z.ZodType<Project, unknown>;

export const RemoteProjects = z.object({
  projects: z.array(RemoteProject).transform((all) => all.slice(0, MAX_ITEMS)),
  rootOf: z.record(RemoteId, Path),
  portsOf: z.record(RemoteId, z.array(z.int().min(1).max(65_535)).max(1_000)),
});

const Figure = Count.nullable();
const RemotePastRow = z.object({
  ...{ key: z.string().max(150), terminalId: RemoteId, conversationId: Short, agent: Line, label: Line },
  ...{ version: Line.nullable(), isVersionChecked: z.boolean(), title: Line, cwd: Path.nullable() },
  ...{ startedMs: Time, updatedMs: Time, messages: Count, origin: z.enum(['recorded', 'log']) },
  ...{ isInBoth: z.boolean(), command: Line.nullable(), snippet: Line.nullable() },
  usage: z
    .object({
      ...{ input: Figure, output: Figure, cacheRead: Figure, cacheWrite: Figure, cost: Figure, busyMs: Figure },
    })
    .nullable(),
}) satisfies z.ZodType<PastRow, unknown>;

export const RemotePastPage = z.object({
  ...{ rows: z.array(RemotePastRow).max(200), next: z.string().max(300).nullable() },
  facets: z
    .object({
      agents: z.array(z.object({ agent: Line, label: Line, count: Count })).max(1_000),
      folders: z.array(z.object({ cwd: Path, count: Count })).max(10_000),
    })
    .nullable(),
}) satisfies z.ZodType<PastPage, unknown>;
