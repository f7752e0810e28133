import type { UsageGroup, UsageReport, UsageSum } from '../contract/past.ts';
import { labelOf } from '../conversations/record/ConversationRecorder.ts';
import type { PastFile } from '../store/past/PastFile.ts';

const SUMS = `sum(u.input) AS input, sum(u.output) AS output, sum(u.cache_read) AS cacheRead, sum(u.cache_write) AS cacheWrite,
  sum(u.cost) AS cost, sum(u.busy_ms) AS busyMs`;
const KNOWN = `count(DISTINCT CASE WHEN coalesce(u.input, u.output) IS NOT NULL THEN u.conversation END) AS tokensKnown,
  count(DISTINCT CASE WHEN u.cost IS NOT NULL THEN u.conversation END) AS costKnown,
  count(DISTINCT CASE WHEN u.busy_ms IS NOT NULL THEN u.conversation END) AS timeKnown`;

const GROUPS: Readonly<Record<UsageReport['by'], string>> = {
  conversation: 'c.num',
  agent: 'c.agent',
  project: `coalesce(c.cwd, '')`,
  day: `date(coalesce(u.at_ms, c.updated_ms) / 1000, 'unixepoch', 'localtime')`,
};

interface Row extends UsageSum {
  name: string | number;
  title: string;
  agent: string;
  conversations: number;
  tokensKnown: number;
  costKnown: number;
  timeKnown: number;
}

export interface UsageWish {
  readonly by: UsageReport['by'];
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly agent?: string | undefined;
}

/** Sums up tokens, cost and time from agent logs. A conversation without figures in its log counts as a conversation and adds nothing. */
export function readUsage(
  file: PastFile,
  { by, sinceMs = 0, untilMs = Number.MAX_VALUE, agent }: UsageWish,
): UsageReport {
  const values = [sinceMs, untilMs, sinceMs, untilMs, agent ?? null, agent ?? null];
  const from = `FROM conversations c LEFT JOIN usage u ON u.conversation = c.num AND u.at_ms BETWEEN ? AND ?
    WHERE (u.at_ms IS NOT NULL OR c.updated_ms BETWEEN ? AND ?) AND (? IS NULL OR c.agent = ?)`;
  const select = `SELECT ${SUMS}, ${KNOWN}, count(DISTINCT c.num) AS conversations, c.title, c.agent`;
  const order =
    by === 'day' ? 'name DESC' : 'coalesce(sum(u.input), 0) + coalesce(sum(u.output), 0) DESC, conversations DESC';
  const rows = file.all<Row>(`${select}, ${GROUPS[by]} AS name ${from} GROUP BY name ORDER BY ${order}`, ...values);
  const total = file.get<Row>(`${select}, '' AS name ${from}`, ...values);
  if (!total) throw new Error('a sum always has a row');
  return { by, groups: rows.map((row) => groupOf(row, by)), total: groupOf({ ...total, name: '' }, 'project') };
}

function groupOf(row: Row, by: UsageReport['by']): UsageGroup {
  const { tokensKnown, costKnown, timeKnown, title, agent, name, ...sums } = row;
  const label = by === 'agent' ? labelOf(agent) : by === 'conversation' ? title : String(name);
  return { ...sums, name: String(name), label, known: { tokens: tokensKnown, cost: costKnown, time: timeKnown } };
}

/** Sums up one conversation, or its part in [fromMs, toMs]; null if its log has no figures. */
export function usageOf(
  file: PastFile,
  conversation: number,
  { fromMs, toMs }: { fromMs: number; toMs: number } = { fromMs: 0, toMs: Number.MAX_VALUE },
): UsageSum | null {
  const row = file.get<UsageSum & { count: number }>(
    `SELECT ${SUMS}, count(*) AS count FROM usage u WHERE u.conversation = ? AND u.at_ms BETWEEN ? AND ?`,
    ...[conversation, fromMs, toMs],
  );
  if (!row || row.count === 0) return null;
  const { count: _count, ...sum } = row;
  return { ...sum };
}
