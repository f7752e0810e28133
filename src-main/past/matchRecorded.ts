import type { PastFile } from '../store/past/PastFile.ts';
import { describeConversation } from './ConversationWriter.ts';
import { type Prompt, promptKey } from './recordedTalks.ts';

/** An agent writes its log before or after the screen shows the same, and opens it some time before the first prompt is seen. */
const SLACK_MS = 15_000;

interface Talk {
  terminalId: string;
  conversationId: string;
  agent: string;
  session: string | null;
  cwd: string | null;
  fromMs: number;
  toMs: number;
  prompts: string;
}

/**
 * Finds the imported conversations that a terminal has recorded too, by the agent's session id or by equal prompts at the same time. Messages from the
 * time of the recording are marked as covered, because the record leads; earlier and later messages stay. Changed conversations are marked as changed.
 */
export function matchRecorded(file: PastFile): void {
  const talks = file.all<Talk>(
    `SELECT terminal_id AS terminalId, conversation_id AS conversationId, agent, session, cwd, from_ms AS fromMs, to_ms AS toMs, prompts FROM talks`,
  );
  const wanted = new Map<string, { num: number; talk: Talk }>();
  for (const talk of talks) {
    const num = bySession(file, talk) ?? byPrompts(file, talk);
    if (num !== null) wanted.set(keyOf(num, talk), { num, talk });
  }
  file.inOne(() => {
    const changed = new Set<number>();
    for (const row of file.all<{ num: number } & Talk>(KNOWN)) {
      const match = wanted.get(keyOf(row.num, row));
      if (match && match.talk.toMs === row.toMs && match.talk.fromMs === row.fromMs) {
        wanted.delete(keyOf(row.num, row));
        continue;
      }
      changed.add(row.num);
      file.run(
        'DELETE FROM recorded WHERE conversation = ? AND terminal_id = ? AND conversation_id = ?',
        ...[row.num, row.terminalId, row.conversationId],
      );
    }
    for (const { num, talk } of wanted.values()) {
      changed.add(num);
      file.run(
        'INSERT INTO recorded (conversation, terminal_id, conversation_id, from_ms, to_ms) VALUES (?, ?, ?, ?, ?)',
        ...[num, talk.terminalId, talk.conversationId, talk.fromMs, talk.toMs],
      );
    }
    for (const num of [...changed, ...grownSince(file)]) cover(file, num);
  });
}

const KNOWN = `SELECT conversation AS num, terminal_id AS terminalId, conversation_id AS conversationId, from_ms AS fromMs, to_ms AS toMs FROM recorded`;

function keyOf(num: number, { terminalId, conversationId }: Pick<Talk, 'terminalId' | 'conversationId'>): string {
  return `${num}/${terminalId}/${conversationId}`;
}

function bySession(file: PastFile, { agent, session }: Talk): number | null {
  if (session === null) return null;
  const sql = 'SELECT num FROM conversations WHERE agent = ? AND session = ?';
  return file.get<{ num: number }>(sql, agent, session)?.num ?? null;
}

/** Finds the conversation with the most equal prompts at the same time, at least half of those that were recorded. */
export function byPrompts(file: PastFile, { agent, cwd, fromMs, toMs, prompts }: Talk): number | null {
  const asked = JSON.parse(prompts) as Prompt[];
  if (asked.length === 0) return null;
  const near = file.all<{ num: number; cwd: string | null }>(
    'SELECT num, cwd FROM conversations WHERE agent = ? AND started_ms <= ? AND updated_ms >= ?',
    ...[agent, toMs + SLACK_MS, fromMs - SLACK_MS],
  );
  let best: { num: number; same: number } | null = null;
  for (const one of near) {
    if (one.cwd !== null && cwd !== null && one.cwd !== cwd) continue;
    const same = asked.filter((prompt) => wasAsked(file, one.num, prompt)).length;
    if (same * 2 >= asked.length && same > (best?.same ?? 0)) best = { num: one.num, same };
  }
  return best?.num ?? null;
}

function wasAsked(file: PastFile, num: number, { text, atMs }: Prompt): boolean {
  const near = file.all<{ text: string }>(
    `SELECT text FROM messages WHERE conversation = ? AND kind IN ('user', 'command') AND at_ms BETWEEN ? AND ?`,
    ...[num, atMs - SLACK_MS, atMs + SLACK_MS],
  );
  return near.some((message) => promptKey(message.text) === text);
}

/** Finds matched conversations that have new messages, which may have to be marked as covered. */
function grownSince(file: PastFile): number[] {
  const sql = `SELECT DISTINCT r.conversation AS num FROM recorded r JOIN messages m ON m.conversation = r.conversation
    WHERE m.is_covered = 0 AND m.at_ms BETWEEN r.from_ms - ${SLACK_MS} AND r.to_ms + ${SLACK_MS}`;
  return file.all<{ num: number }>(sql).map(({ num }) => num);
}

function cover(file: PastFile, num: number): void {
  file.run(
    `UPDATE messages SET is_covered = EXISTS (SELECT 1 FROM recorded r WHERE r.conversation = messages.conversation
       AND messages.at_ms BETWEEN r.from_ms - ${SLACK_MS} AND r.to_ms + ${SLACK_MS}) WHERE conversation = ?`,
    num,
  );
  describeConversation(file, num);
}
