import type { Block } from '../../../contract/block.ts';
import type { OutsideTerminal } from '../../read/McpRecord.ts';
import { redactedOutputLines } from '../../read/redactedOutputLines.ts';

const MAX_LINE_CHARS = 400;
/** Characters kept before the match in a long line. */
const BEFORE_CHARS = 60;

/** The lines around a match. A missing list has no lines. */
export interface Around {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** One match of an answer: our own facts, and the text that a terminal printed. */
export interface Match {
  readonly facts: Record<string, unknown>;
  readonly told: Around & { text: string; cmd?: string | null; cwd?: string | null };
}

/** Where a search looks for its words. */
export interface SearchWish {
  readonly query: string;
  readonly regex: boolean;
  readonly flags?: string | undefined;
  readonly pty_id?: string | undefined;
  readonly scope: 'cmd' | 'output' | 'both';
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly limit: number;
  readonly context: number;
  readonly cursor?: string | undefined;
}

/** Returns the lines around a match for the answer; empty if there are no lines. */
export function aroundTold({ before, after }: { before: readonly string[]; after: readonly string[] }): Around {
  return { ...(before.length > 0 && { before }), ...(after.length > 0 && { after }) };
}

/** Cuts a long line around the column of its match. */
export function cutAround(line: string, col: number): string {
  const from = line.length <= MAX_LINE_CHARS || col <= BEFORE_CHARS ? 0 : col - BEFORE_CHARS;
  return line.slice(from, from + MAX_LINE_CHARS);
}

export function cutLong(line: string): string {
  return line.slice(0, MAX_LINE_CHARS);
}

/** The lines around line `n` of an output, and the number of secrets redacted in them. */
export async function linesAround(
  terminal: OutsideTerminal,
  block: Block,
  { n, context }: { n: number; context: number },
): Promise<{ before: string[]; after: string[]; redactions: number }> {
  const first = Math.max(0, n - context);
  const found = { before: [] as string[], after: [] as string[], redactions: 0 };
  for await (const batch of redactedOutputLines(terminal, block, { view: 'rendered', first, to: n + context + 1 })) {
    if (batch.col > 0) continue;
    found.redactions += batch.redactions;
    for (const [at, line] of batch.lines.entries()) {
      if (batch.n + at < n) found.before.push(cutLong(line));
      if (batch.n + at > n) found.after.push(cutLong(line));
    }
  }
  return found;
}
