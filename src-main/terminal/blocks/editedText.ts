import type { BlockMarkEvent } from '../../contract/event.ts';
import { splitJoined } from '../../shells/splitJoined.ts';

type Begin = Extract<BlockMarkEvent, { type: 'begin' }>;

/**
 * Text of a command of several lines that keys alone do not give, because a line was edited, completed or recalled: the shell's history
 * has it joined to one line, and the rows of the screen show where its lines end. null if these do not prove it.
 */
export function editedText(begin: Begin, rows: readonly string[] | undefined): string | null {
  const { joined, lines = 1, continuation = '', typedLines = [] } = begin;
  if (joined === undefined || rows?.length !== lines) return null;
  const shown = rows.map((row, n) => ({ rows: n === 0 ? [row] : withoutPrompt(row, continuation), typed: null }));
  // Keys that went elsewhere would not have produced exactly these rows.
  const isSeen =
    typedLines.length === lines &&
    typedLines.every((line, n) => line === null || shown[n]?.rows.includes(line.trimEnd()));
  return (
    splitJoined(joined, isSeen ? shown.map((line, n) => ({ ...line, typed: typedLines[n] ?? null })) : shown)?.join(
      '\n',
    ) ?? null
  );
}

/** A pasted line break appears without a prompt. */
function withoutPrompt(row: string, prompt: string): string[] {
  if (prompt === '') return [row];
  if (row === prompt.trimEnd()) return ['', row];
  return row.startsWith(prompt) ? [row.slice(prompt.length), row] : [row];
}
