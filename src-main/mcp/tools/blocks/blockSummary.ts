import type { Block } from '../../../contract/block.ts';
import { isCutInCard } from '../../../contract/screen/cardLines.ts';
import { refOf } from '../../protocol/inputs.ts';
import type { OutsideTerminal } from '../../read/McpRecord.ts';
import { redactedOutputLines } from '../../read/redactedOutputLines.ts';
import { unlessUnreadable } from '../../read/unreadable.ts';

/** Preview lines are cut at this length: they only show the kind of output. */
const MAX_PREVIEW_CHARS = 200;

/** Our own facts about a block (mcp.md, BlockSummary); `blockTold` has its texts. */
export function blockFacts(block: Block): Record<string, unknown> {
  return {
    block_id: refOf(block.terminalId, block.id),
    pty_id: block.terminalId,
    seq: block.seq,
    ...(block.kind !== 'command' && { kind: block.kind }),
    status: block.status,
    actor: block.actor === 'user' ? 'user' : 'agent',
    ...(block.actor !== 'user' && { client: block.actor.replace(/^agent:/, '') }),
    exit_code: block.exitCode,
    ...(block.signal !== undefined && { signal: block.signal }),
    ts_begin: block.startedMs,
    ts_end: block.endedMs,
    duration_ms: block.durationMs === null ? null : Math.round(block.durationMs),
    output_lines: block.outputLines,
    output_bytes: block.outputBytes,
    was_clipped_for_ui: isCutInCard(block.outputLines, block.usedAltScreen),
    interactive: block.usedAltScreen,
    trusted: block.trusted,
    ...(block.textSource !== null && { text_source: block.textSource }),
    ...(block.endedBy !== null && { ended_by: block.endedBy }),
    ...(block.agentSessionId !== undefined && { agent_session_id: block.agentSessionId }),
  };
}

/** Returns the summary for lists, without fields that have their usual value. blocks_get has all fields. */
export function leanFacts(block: Block): Record<string, unknown> {
  const { actor, outputLines, durationMs } = block;
  return {
    block_id: refOf(block.terminalId, block.id),
    pty_id: block.terminalId,
    ...(block.kind !== 'command' && { kind: block.kind }),
    status: block.status,
    exit_code: block.exitCode,
    ...(block.signal !== undefined && { signal: block.signal }),
    actor: actor === 'user' ? 'user' : 'agent',
    ...(actor !== 'user' && { client: actor.replace(/^agent:/, '') }),
    ts_begin: block.startedMs,
    ...(durationMs !== null && { duration_ms: Math.round(durationMs) }),
    output_lines: outputLines,
    ...(block.usedAltScreen && { interactive: true }),
    ...(!block.trusted && { trusted: false }),
    ...(block.agentSessionId !== undefined && { agent_session_id: block.agentSessionId }),
  };
}

export function blockTold(block: Block): Record<string, unknown> {
  return {
    cmd: block.cmd,
    ...(block.cmdRequested !== undefined && { cmd_requested: block.cmdRequested }),
    cwd: block.cwd,
    ...(block.nested !== undefined && { nested: block.nested }),
  };
}

export interface Preview {
  readonly head: readonly string[];
  readonly tail: readonly string[];
  readonly omitted: number;
  /** Number of redacted secrets. */
  readonly redactions: number;
  /** Why the output cannot be read. */
  readonly unreadable?: string;
}

/** Returns a block and its preview for lists and waits. */
export function leanAnswer(block: Block, preview: Preview): Summary {
  const { head, tail, redactions } = preview;
  return {
    facts: { ...leanFacts(block), ...previewFacts(preview) },
    told: {
      ...blockTold(block),
      ...(head.length > 0 && { preview_head: head }),
      ...(tail.length > 0 && { preview_tail: tail }),
    },
    redactions,
  };
}

export function previewFacts({ omitted, unreadable }: Preview): Record<string, unknown> {
  return {
    ...(omitted > 0 && { preview_omitted_lines: omitted }),
    ...(unreadable !== undefined && { output_unreadable: unreadable }),
  };
}

export interface Summary {
  readonly facts: Record<string, unknown>;
  readonly told: Record<string, unknown>;
  readonly redactions: number;
}

/** The first and last lines of an output, `lines` in total; a short output is all in `head`. Reads only these lines. */
export async function previewOf(terminal: OutsideTerminal, block: Block, lines: number): Promise<Preview> {
  const total = block.outputLines;
  const empty = { head: [], tail: [], omitted: total, redactions: 0 };
  if (lines === 0 || total === 0 || block.ephemeral) return empty;
  return unlessUnreadable(readPreview(terminal, block, lines), (unreadable) => ({ ...empty, unreadable }));
}

async function readPreview(terminal: OutsideTerminal, block: Block, lines: number): Promise<Preview> {
  const total = block.outputLines;
  const inTail = total <= lines ? 0 : Math.ceil(lines / 2);
  const head = await linesOf(terminal, block, { first: 0, to: Math.min(total, lines - inTail) });
  const tail = await linesOf(terminal, block, { first: total - inTail, to: total });
  return {
    head: head.lines,
    tail: tail.lines,
    omitted: Math.max(0, total - lines),
    redactions: head.redactions + tail.redactions,
  };
}

async function linesOf(
  terminal: OutsideTerminal,
  block: Block,
  { first, to }: { first: number; to: number },
): Promise<{ lines: string[]; redactions: number }> {
  const lines: string[] = [];
  let redactions = 0;
  if (first >= to) return { lines, redactions };
  for await (const batch of redactedOutputLines(terminal, block, { view: 'rendered', first, to })) {
    if (batch.col > 0) continue; // the start of a very long line is enough
    for (const line of batch.lines)
      lines.push(line.length > MAX_PREVIEW_CHARS ? `${line.slice(0, MAX_PREVIEW_CHARS)}…` : line);
    redactions += batch.redactions;
    if (lines.length >= to - first) break;
  }
  return { lines, redactions };
}
