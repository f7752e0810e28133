import { z } from 'zod';
import { outputLines } from '../../session/outside/OutsideOutput.ts';
import { execAsking } from '../elicitation/execAsking.ts';
import { capped, MAX_WAIT_MS, MaxChars, PtyId } from '../inputs.ts';
import { defineTool, type ToolAnswer, type ToolCall } from '../Tool.ts';
import { blockAnswer } from './blocksGet.ts';
import { ticketAnswer } from './execAnswer.ts';

const MAX_COMMAND_CHARS = 8192;

export const ptyExec = defineTool({
  name: 'pty_exec',
  aliases: ['pty.exec'],
  title: 'Run a command',
  description:
    "Runs one command in the person's terminal: it waits in a queue until the prompt is idle and nobody types, and the person may be asked first. Comes back at once with a block_id, and with the output when it was done within wait_ms. Do not call it again for the same command: wait with blocks_get. cwd runs it in a subshell; give a reason, the person sees it.",
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  profile: 'standard',
  scope: 'exec',
  input: z.strictObject({
    pty_id: PtyId,
    cmd: z.string().min(1).max(MAX_COMMAND_CHARS),
    expected_cwd: z.string().max(4096).optional(),
    cwd: z.string().max(4096).optional(),
    reason: z.string().max(300).optional(),
    is_read_only: z.boolean().optional(),
    wait_ms: capped(0, MAX_WAIT_MS, 2_000),
    queue_timeout_ms: capped(0, 600_000, 120_000),
    timeout_ms: capped(1_000, 3_600_000).optional(),
    idempotency_key: z.string().min(1).max(64).optional(),
    allow_multiline: z.boolean().default(false),
    max_chars: MaxChars,
  }),
  async run(input, call) {
    call.desk.record.liveTerminal(input.pty_id);
    const ticket = await execAsking(
      {
        terminalId: input.pty_id,
        cmd: input.cmd,
        waitMs: input.wait_ms,
        queueTimeoutMs: input.queue_timeout_ms,
        allowMultiline: input.allow_multiline,
        ...(input.expected_cwd !== undefined && { expectedCwd: input.expected_cwd }),
        ...(input.cwd !== undefined && { cwd: input.cwd }),
        ...(input.reason !== undefined && { reason: input.reason }),
        ...(input.is_read_only !== undefined && { isReadOnly: input.is_read_only }),
        ...(input.timeout_ms !== undefined && { timeoutMs: input.timeout_ms }),
        ...(input.idempotency_key !== undefined && { idempotencyKey: input.idempotency_key }),
      },
      call,
    );
    if ('needs' in ticket) return ticket;
    const told = ticketAnswer(ticket);
    return ticket.block === null ? told : withBlock(told, await ran(ticket.block, input.max_chars, call));
  },
});

function withBlock(ticket: ToolAnswer, block: ToolAnswer): ToolAnswer {
  const { cmd: _, ...told } = ticket.told ?? {};
  return {
    facts: { ...ticket.facts, block: block.facts },
    told: { ...told, block: block.told ?? {} },
    ...(block.text && { text: block.text }),
  };
}

/** The block; when it has ended and its output fits, with all of it, so that no second call is needed. */
async function ran(block: { terminalId: string; id: string }, maxChars: number, call: ToolCall): Promise<ToolAnswer> {
  const answer = await blockAnswer(block.terminalId, block.id, call);
  if (answer.facts.status === 'running') return answer;
  const terminal = call.desk.record.terminal(block.terminalId);
  const own = await call.desk.record.block(block.terminalId, block.id);
  const lines: string[] = [];
  let chars = 0;
  for await (const batch of outputLines(terminal, own, { view: 'rendered', first: 0 })) {
    lines.push(...batch.lines);
    chars += batch.lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (chars > maxChars) return answer;
  }
  const { preview_head: _, preview_tail: __, ...told } = answer.told ?? {};
  return {
    facts: { ...answer.facts, preview_omitted_lines: 0 },
    told,
    text: { output: { text: lines.join('\n'), about: `pty ${block.terminalId} · block ${block.id}` } },
  };
}
