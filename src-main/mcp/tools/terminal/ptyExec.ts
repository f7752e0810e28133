import { z } from 'zod';
import type { Block } from '../../../contract/block.ts';
import { outputLines } from '../../../search/lines/outputLines.ts';
import { execWithApproval } from '../../elicitation/execAsking.ts';
import { MAX_COMMAND_CHARS } from '../../exec/checkCommand.ts';
import { capped, MAX_WAIT_MS, MaxChars, PtyId } from '../../protocol/inputs.ts';
import { defineTool, type InputNeeded, type ToolAnswer, type ToolCall } from '../../protocol/Tool.ts';
import type { OutsideTerminal } from '../../read/McpRecord.ts';
import { unlessUnreadable } from '../../read/unreadable.ts';
import { blockTold, leanAnswer, leanFacts, previewOf } from '../blocks/blockSummary.ts';
import { ticketAnswer } from './execAnswer.ts';

/** Preview lines of an output that does not fit. */
const PREVIEW_LINES = 10;

export const ptyExec = defineTool({
  name: 'pty_exec',
  aliases: ['pty.exec'],
  title: 'Run a command',
  description:
    "Runs one command in the person's terminal: it waits in a queue until the prompt is idle and nobody types, and the person may be asked first. Comes back at once with a block_id, and with the output when it was done within wait_ms. Do not call it again for the same command: wait with blocks_get. cwd runs it in a subshell; give a reason, the person sees it.",
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  profile: 'standard',
  scope: 'suggest',
  input: z.strictObject({
    pty_id: PtyId,
    cmd: z.string().min(1).meta({ maxLength: MAX_COMMAND_CHARS }), // checkCommand reports a longer one as TOO_LARGE
    expected_cwd: z.string().max(4096).optional(),
    cwd: z.string().max(4096).optional(),
    reason: z.string().max(300).optional(),
    is_read_only: z.boolean().optional(),
    wait_ms: capped(0, MAX_WAIT_MS, 2_000),
    queue_timeout_ms: capped(0, 600_000, 120_000),
    interrupt_after_ms: capped(1_000, 3_600_000).optional().describe('Ctrl+C when it runs longer'),
    idempotency_key: z.string().min(1).max(64).optional(),
    allow_multiline: z.boolean().default(false),
    max_chars: MaxChars,
  }),
  inputAliases: { command: 'cmd' },
  about: ({ pty_id, cmd }) => ({ terminalId: pty_id, what: cmd }),
  admit: ({ pty_id }, { record }) => void record.liveTerminal(pty_id),
  async run(input, call) {
    return waitingIfFree(input.wait_ms, call, async (waitMs, asking) => {
      const request = {
        terminalId: input.pty_id,
        cmd: input.cmd,
        waitMs,
        queueTimeoutMs: input.queue_timeout_ms,
        allowMultiline: input.allow_multiline,
        ...(input.expected_cwd !== undefined && { expectedCwd: input.expected_cwd }),
        ...(input.cwd !== undefined && { cwd: input.cwd }),
        ...(input.reason !== undefined && { reason: input.reason }),
        ...(input.is_read_only !== undefined && { isReadOnly: input.is_read_only }),
        ...(input.interrupt_after_ms !== undefined && { timeoutMs: input.interrupt_after_ms }),
        ...(input.idempotency_key !== undefined && { idempotencyKey: input.idempotency_key }),
      };
      const ticket = await execWithApproval(request, asking);
      if ('needs' in ticket) return ticket;
      const told = ticketAnswer(ticket);
      return ticket.block === null ? told : withBlock(told, await ran(ticket.block, input.max_chars, call));
    });
  },
});

/**
 * A command matters more than the wait for it: if the client has no wait left, its command is still queued and the call returns at once. Then only
 * the window asks the person, because a question in the client would keep the call open.
 */
async function waitingIfFree(
  waitMs: number,
  call: ToolCall,
  run: (waitMs: number, call: ToolCall) => Promise<ToolAnswer | InputNeeded>,
): Promise<ToolAnswer | InputNeeded> {
  const asksNow = call.ask?.type === 'now' && call.authority.mayAskItsPerson(call.caller);
  if (waitMs === 0 && !asksNow) return run(0, call);
  const endWait = call.authority.tryWait(call.caller);
  try {
    if (endWait) return await run(waitMs, call);
    const told = await run(0, asksNow ? { ...call, ask: null } : call);
    return 'needs' in told || waitMs === 0 ? told : { ...told, effective: { wait_ms: 0 } };
  } finally {
    endWait?.();
  }
}

/** Leaves out facts that the command already has. A command that has ended needs no next step. */
function withBlock(ticket: ToolAnswer, block: ToolAnswer): ToolAnswer {
  const { cmd: _, ...told } = ticket.told ?? {};
  const { next, pending_block_id, ts_queued: __, ...own } = ticket.facts;
  const { pty_id: ___, ...facts } = block.facts;
  const isOver = facts.status !== 'running';
  return {
    facts: { ...own, ...(!isOver && { pending_block_id, next }), block: facts },
    told: { ...told, block: block.told ?? {} },
    ...(block.text && { text: block.text }),
    ...(block.redactions !== undefined && { redactions: block.redactions }),
  };
}

/** The block; once it has ended, with its whole output if that fits, so that no second call is needed. */
async function ran(block: { terminalId: string; id: string }, maxChars: number, call: ToolCall): Promise<ToolAnswer> {
  const terminal = call.desk.record.terminal(block.terminalId);
  const own = await call.desk.record.block(block.terminalId, block.id);
  const preview = await previewOf(terminal, own, PREVIEW_LINES);
  if (own.status === 'running') return leanAnswer(own, preview);
  const whole = wholeOutput(terminal, own, maxChars);
  return unlessUnreadable(
    whole.then((text) => (text === null ? leanAnswer(own, preview) : wholeAnswer(own, text))),
    (unreadable) => leanAnswer(own, { ...preview, unreadable }),
  );
}

/** Null if it does not fit. */
async function wholeOutput(terminal: OutsideTerminal, block: Block, maxChars: number): Promise<string | null> {
  const lines: string[] = [];
  let chars = 0;
  for await (const batch of outputLines(terminal, block, { view: 'rendered', first: 0 })) {
    lines.push(...batch.lines);
    chars += batch.lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (chars > maxChars) return null;
  }
  return lines.join('\n');
}

function wholeAnswer(block: Block, text: string): ToolAnswer {
  const about = `pty ${block.terminalId} · block ${block.id}`;
  return { facts: leanFacts(block), told: blockTold(block), text: { output: { text, about } } };
}
