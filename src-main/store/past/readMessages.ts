import type { ChatTool } from '../../contract/chat/chat.ts';
import type { PastFile } from './PastFile.ts';

/** An imported message. */
export interface PastMessage {
  readonly num: number;
  readonly conversation: number;
  readonly kind: 'user' | 'model' | 'tool' | 'command';
  readonly text: string;
  readonly tool: ChatTool | null;
  readonly atMs: number;
  /** True if a terminal's record has the message too. */
  readonly isCovered: boolean;
}

interface Row {
  num: number;
  conversation: number;
  kind: PastMessage['kind'];
  text: string;
  tool: string | null;
  atMs: number;
  isCovered: number;
}

const COLUMNS = 'num, conversation, kind, text, tool, at_ms AS atMs, is_covered AS isCovered';
/** Number of rows in memory at a time. */
const PAGE = 200;

export function readPastMessage(file: PastFile, num: number): PastMessage | null {
  const row = file.get<Row>(`SELECT ${COLUMNS} FROM messages WHERE num = ?`, num);
  return row ? messageOf(row) : null;
}

/** Yields the messages of a conversation in the order of time. */
export function messagesOfConversation(file: PastFile, conversation: number): PastMessage[] {
  return file
    .all<Row>(`SELECT ${COLUMNS} FROM messages WHERE conversation = ? ORDER BY at_ms, num`, conversation)
    .map(messageOf);
}

/** Reads a page of the messages of a conversation that no terminal has recorded. */
export function* uncoveredOf(file: PastFile, conversation: number): Generator<PastMessage[]> {
  for (let after = 0; ; ) {
    const rows = file.all<Row>(
      `SELECT ${COLUMNS} FROM messages WHERE conversation = ? AND num > ? AND is_covered = 0 ORDER BY num LIMIT ${PAGE}`,
      ...[conversation, after],
    );
    if (rows.length > 0) yield rows.map(messageOf);
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.num ?? after;
  }
}

/** Yields all messages that no terminal has recorded, newest first. */
export function* newestUncovered(file: PastFile): Generator<PastMessage> {
  let before = { atMs: Number.MAX_VALUE, num: 0 };
  for (;;) {
    const rows = file.all<Row>(
      `SELECT ${COLUMNS} FROM messages WHERE is_covered = 0 AND (at_ms < ? OR (at_ms = ? AND num < ?)) ORDER BY at_ms DESC, num DESC LIMIT ${PAGE}`,
      ...[before.atMs, before.atMs, before.num],
    );
    yield* rows.map(messageOf);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    before = last;
  }
}

function messageOf({ isCovered, tool, ...row }: Row): PastMessage {
  return { ...row, isCovered: isCovered === 1, tool: tool === null ? null : (JSON.parse(tool) as ChatTool) };
}
