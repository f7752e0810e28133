import { z } from 'zod';
import type { AgentRow } from '../../../contract/agents.ts';
import type { SubAgent } from '../../../contract/chat/progress.ts';
import { cutMarked, withoutCutWord } from '../../../redaction/cutText.ts';
import { capped, PtyId } from '../../protocol/inputs.ts';
import { SinceWhen, sinceMs } from '../../protocol/sinceWhen.ts';
import { defineTool, READS, type ToolAnswer, type ToolCall } from '../../protocol/Tool.ts';
import { CUT_CHARS, chatRef, listChats } from '../chats/chatsList.ts';
import { planFacts, planTold } from './planAnswer.ts';
import { tabFact } from './tabFact.ts';

/** Limit of an agent's sub-agents, newest first; an agent may start hundreds. */
const MAX_SUB_AGENTS = 20;
const MAX_TITLE_CHARS = 200;
const WAITS: readonly AgentRow['state'][] = ['needs_approval', 'needs_input'];

export const agentsList = defineTool({
  name: 'agents_list',
  aliases: ['agents.list'],
  title: 'List agents',
  description:
    'Coding agents that run in the terminals, those that wait for the person first: agent, state, tab, project, the last sentence it said (or the tool that runs), how far its plan is (is_part: items may be missing), its sub-agents (id, parent, state, title), and its question with options. is_caller_pty: you. state narrows the list ("waiting": needs an answer). past: conversations instead, also those that ended, newest first; with agent, pty_id, since, limit, cursor. What was said in full: agents_read.',
  hints: READS,
  profile: 'observe',
  scope: 'observe',
  input: z.strictObject({
    state: z.enum(['waiting', 'working', 'idle', 'starting', 'needs_approval', 'needs_input', 'unknown']).optional(),
    past: z.boolean().default(false),
    pty_id: z.optional(PtyId),
    agent: z.string().max(64).optional(),
    since: SinceWhen.optional(),
    limit: capped(1, 100, 20),
    cursor: z.string().max(5000).optional(),
  }),
  about: ({ pty_id = null, past }) => ({ terminalId: pty_id, what: past ? 'conversations' : 'agents' }),
  everywhere: {
    list: ({ past, pty_id }) => (pty_id !== undefined ? null : past ? 'chats' : 'agents'),
    timeoutMs: 5_000,
    rank: ({ state }) => (WAITS.some((one) => one === state) ? 0 : 1),
  },
  async run(input, call) {
    const since = sinceMs(input.since, call.desk.nowMs());
    if (input.past) return listChats({ ...input, since }, call);
    const { pty_id, agent, state, limit } = input;
    if (pty_id !== undefined) call.desk.record.terminal(pty_id);
    const rows = (await call.clients.agents.rows())
      .filter((row) => call.desk.record.isChatSeen(row))
      .filter((row) => pty_id === undefined || row.terminalId === pty_id)
      .filter((row) => agent === undefined || row.agent === agent)
      .filter((row) => row.sinceMs >= (since ?? 0))
      .filter((row) => state === undefined || (state === 'waiting' ? WAITS.includes(row.state) : row.state === state));
    return rowsAnswer(rows.slice(0, limit), rows.length, call);
  },
});

function rowsAnswer(rows: readonly AgentRow[], total: number, call: ToolCall): ToolAnswer {
  return {
    facts: { agents: rows.map((row) => rowFacts(row, call)), has_more: rows.length < total },
    told: { agents: rows.map(rowTold) },
  };
}

/** Returns our own facts about an agent; `rowTold` has its texts. */
export function rowFacts(row: AgentRow, { desk, caller }: Pick<ToolCall, 'desk' | 'caller'>): Record<string, unknown> {
  const { terminalId, question, queued } = row;
  return {
    pty_id: terminalId,
    ...tabFact(terminalId, desk),
    chat_id: chatRef(terminalId, row.conversationId),
    agent: row.agent,
    ...(row.version !== null && { version: row.version }),
    state: row.state,
    ...(row.evidence && { state_from: row.evidence.by }),
    since_ts: row.sinceMs,
    ...(terminalId === caller.terminalId && { is_caller_pty: true }),
    ...(row.files !== null && { files_changed: row.files }),
    ...(row.isTool && { runs_tool: true }),
    ...(row.plan && { plan: planFacts(row.plan) }),
    ...(row.subAgents.length > 0 && {
      sub_agents: row.subAgents.slice(-MAX_SUB_AGENTS).map(subAgentFacts),
      sub_agents_total: row.subAgents.length,
    }),
    ...(question && {
      question: { question_id: question.id, ...(question.obstacle !== null && { obstacle: question.obstacle }) },
    }),
    ...(queued.length > 0 && { prompts_waiting: queued.length }),
  };
}

function subAgentTold({ title, kind }: SubAgent): object {
  return { title: cutMarked(title, MAX_TITLE_CHARS), kind };
}

/** Its title is in `rowTold`, in the same order. */
function subAgentFacts({ id, parentId, state, startedMs, sinceMs }: SubAgent): object {
  return { id, ...(parentId !== null && { parent: parentId }), state, started_ts: startedMs, since_ts: sinceMs };
}

export function rowTold({
  title,
  cwd,
  project,
  branch,
  said,
  question,
  plan,
  subAgents,
}: AgentRow): Record<string, unknown> {
  return {
    ...(title !== '' && { title: withoutCutWord(title, CUT_CHARS) }),
    ...(cwd !== null && { cwd }),
    ...(project !== null && project !== cwd && { project }),
    ...(branch !== null && { branch }),
    ...(said !== '' && { said: withoutCutWord(said, CUT_CHARS) }),
    ...(plan && { plan: planTold(plan) }),
    ...(subAgents.length > 0 && { sub_agents: subAgents.slice(-MAX_SUB_AGENTS).map(subAgentTold) }),
    ...(question && { question: { text: question.text, options: question.options } }),
  };
}
