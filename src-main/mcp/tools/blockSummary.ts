import type { Block } from '../../contract/block.ts';
import { outputLines } from '../../session/outside/OutsideOutput.ts';
import type { OutsideTerminal } from '../../session/outside/OutsideRecord.ts';
import { refOf } from '../inputs.ts';

/** A preview's line is cut here: it is to tell what kind of output it is. */
const MAX_PREVIEW_CHARS = 200;

/** What we know of a block ourselves (mcp.md, BlockSummary); `blockTold` are its texts. */
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
    was_clipped_for_ui: block.wasClippedForUi,
    interactive: block.usedAltScreen,
    trusted: block.trusted,
    ...(block.textSource !== null && { text_source: block.textSource }),
    ...(block.endedBy !== null && { ended_by: block.endedBy }),
    ...(block.agentSessionId !== undefined && { agent_session_id: block.agentSessionId }),
  };
}

export function blockTold(block: Block): Record<string, unknown> {
  return { cmd: block.cmd, cwd: block.cwd, ...(block.nested !== undefined && { nested: block.nested }) };
}

export interface Preview {
  readonly head: readonly string[];
  readonly tail: readonly string[];
  readonly omitted: number;
}

/** The first and last lines of an output, `lines` in all; of a short one all of them, as its head. Costs what it shows. */
export async function previewOf(terminal: OutsideTerminal, block: Block, lines: number): Promise<Preview> {
  const total = block.outputLines;
  if (lines === 0 || total === 0 || block.ephemeral) return { head: [], tail: [], omitted: total };
  if (total <= lines) return { head: await linesOf(terminal, block, 0, total), tail: [], omitted: 0 };
  const inTail = Math.ceil(lines / 2);
  const inHead = lines - inTail;
  return {
    head: await linesOf(terminal, block, 0, inHead),
    tail: await linesOf(terminal, block, total - inTail, inTail),
    omitted: total - lines,
  };
}

async function linesOf(terminal: OutsideTerminal, block: Block, first: number, count: number): Promise<string[]> {
  const found: string[] = [];
  if (count === 0) return found;
  for await (const { lines } of outputLines(terminal, block, { view: 'rendered', first })) {
    for (const line of lines) {
      found.push(line.length > MAX_PREVIEW_CHARS ? `${line.slice(0, MAX_PREVIEW_CHARS)}…` : line);
      if (found.length === count) return found;
    }
  }
  return found;
}
