import type { BlockMarkEvent } from '../../contract/event.ts';
import type { ScreenHandle } from '../../screen/worker/ScreenHandle.ts';
import { splitJoined } from '../../shells/splitJoined.ts';
import type { BlockStore } from './BlockStore.ts';

type Begin = Extract<BlockMarkEvent, { type: 'begin' }>;

/** A command that began without a known text. */
export interface Textless {
  readonly begin: Begin;
  readonly blockId: string;
}

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

/**
 * For commands without an exact text from the hook: asks the screen for the cells between the prompt's end and the
 * output.
 */
export async function readTexts(
  textless: readonly Textless[],
  book: Pick<BlockStore, 'textRead'>,
  screen: Pick<ScreenHandle, 'beginRows'>,
  now: () => { atMs: number; monoMs: number },
): Promise<void> {
  const rows = await screen.beginRows().catch(() => []); // the screen was closed or its worker is being replaced
  for (const { begin, blockId } of textless) {
    const begun = rows.find(({ offset }) => offset === begin.end);
    const edited = editedText(begin, begun?.commandRows);
    if (edited !== null) book.textRead(blockId, edited, now(), 'hook');
    else book.textRead(blockId, begun?.commandText ?? null, now());
  }
}
