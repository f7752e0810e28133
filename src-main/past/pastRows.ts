import type { Conversation } from '../contract/chat/chat.ts';
import type { PastRow, UsageSum } from '../contract/past.ts';
import { PAST_ID } from '../contract/pastId.ts';
import { isChecked, labelOf } from '../conversations/record/ConversationRecorder.ts';
import type { PastFile } from '../store/past/PastFile.ts';
import { PAST_AGENTS, resumeCommand } from './agents/all.ts';
import { usageOf } from './usage.ts';

/** An imported conversation, as it is stored in the file. */
export interface LogRow {
  num: number;
  agent: string;
  session: string;
  cwd: string | null;
  title: string;
  version: string | null;
  startedMs: number;
  updatedMs: number;
  messages: number;
  covered: number;
}

const COLUMNS = `num, agent, session, cwd, title, version, started_ms AS startedMs, updated_ms AS updatedMs, messages, covered`;

/** Lists the conversations that have messages which no terminal recorded. */
export function logRows(file: PastFile): LogRow[] {
  return file.all<LogRow>(
    `SELECT ${COLUMNS} FROM conversations WHERE messages > covered ORDER BY updated_ms DESC, num`,
  );
}

export function logRowOf(file: PastFile, num: number): LogRow | null {
  return file.get<LogRow>(`SELECT ${COLUMNS} FROM conversations WHERE num = ?`, num) ?? null;
}

export function logRow({ num, agent, session, messages, covered, ...row }: LogRow): PastRow {
  const isVersionChecked = PAST_AGENTS.some((one) => one.agent === agent && one.checked.includes(row.version ?? ''));
  return {
    ...row,
    ...{ key: `${PAST_ID}/${num}`, terminalId: PAST_ID, conversationId: String(num), agent, label: labelOf(agent) },
    ...{ messages: messages - covered, origin: 'log', isInBoth: covered > 0, isVersionChecked },
    ...{ usage: null, command: resumeCommand(agent, session), snippet: null },
  };
}

/** `file` has the session id of a conversation whose end the terminal did not see. */
export function recordedRow(conversation: Conversation, file: PastFile | null): PastRow {
  const { id, terminalId, agent, label, version = null, title, cwd, startedMs, updatedMs, messages } = conversation;
  const match = file?.get<{ session: string; rest: number }>(
    `SELECT c.session, c.messages - c.covered AS rest FROM recorded r JOIN conversations c ON c.num = r.conversation
     WHERE r.terminal_id = ? AND r.conversation_id = ?`,
    ...[terminalId, id],
  );
  return {
    ...{ key: `${terminalId}/${id}`, terminalId, conversationId: id, agent, label, version, title, cwd },
    ...{ startedMs, updatedMs, messages, origin: 'recorded', isInBoth: (match?.rest ?? 0) > 0 },
    isVersionChecked: version !== null && isChecked(agent, version),
    ...{ usage: null, command: resumeCommand(agent, conversation.resumeId ?? match?.session ?? null), snippet: null },
  };
}

/** Sums up usage for this row's part of its conversation; null if the log has no figures, or no log is known. */
export function usageBetween(file: PastFile, { terminalId, conversationId }: PastRow): UsageSum | null {
  if (terminalId === PAST_ID) {
    const num = Number(conversationId);
    const covered = file.all<{ fromMs: number; toMs: number }>(
      'SELECT from_ms AS fromMs, to_ms AS toMs FROM recorded WHERE conversation = ?',
      num,
    );
    const all = usageOf(file, num);
    return covered.reduce((sum, part) => minus(sum, usageOf(file, num, part)), all);
  }
  const match = file.get<{ num: number; fromMs: number; toMs: number }>(
    'SELECT conversation AS num, from_ms AS fromMs, to_ms AS toMs FROM recorded WHERE terminal_id = ? AND conversation_id = ?',
    ...[terminalId, conversationId],
  );
  return match ? usageOf(file, match.num, match) : null;
}

function minus(sum: UsageSum | null, part: UsageSum | null): UsageSum | null {
  if (!sum || !part) return sum;
  const less = (a: number | null, b: number | null): number | null => (a === null ? null : Math.max(0, a - (b ?? 0)));
  return {
    input: less(sum.input, part.input),
    output: less(sum.output, part.output),
    cacheRead: less(sum.cacheRead, part.cacheRead),
    cacheWrite: less(sum.cacheWrite, part.cacheWrite),
    cost: less(sum.cost, part.cost),
    busyMs: less(sum.busyMs, part.busyMs),
  };
}
