import type { ExecResult } from '../../../contract/mcp/exec.ts';
import { refOf } from '../../protocol/inputs.ts';
import type { ToolAnswer } from '../../protocol/Tool.ts';

/** `submitted` counts as running: it lasts only for the milliseconds between Return and the command's begin. */
export function statusOf({ status }: ExecResult): string {
  return status === 'submitted' ? 'running' : status;
}

/** A command without a block: the decision, its position in the queue, and what holds it. */
export function ticketAnswer(ticket: ExecResult): ToolAnswer {
  const ref = refOf(ticket.terminalId, ticket.blockId);
  const { decision, fault } = ticket;
  return {
    facts: {
      block_id: ref,
      pending_block_id: ref,
      pty_id: ticket.terminalId,
      status: statusOf(ticket),
      ...(ticket.position !== null && { position: ticket.position }),
      ...(decision && {
        decision: { by: decision.by, ...(decision.choice && { choice: decision.choice }), rule: decision.rule },
      }),
      ...(ticket.idleBlockers.length > 0 && { idle_blockers: ticket.idleBlockers }),
      ...(fault && { code: fault.code, suggestion: fault.suggestion }),
      ts_queued: ticket.queuedAtMs,
      next: `blocks_get(block_id: "${ref}", wait_ms: 30000)`,
    },
    told: {
      cmd: ticket.cmd,
      ...(ticket.cmdRequested !== ticket.cmd && { cmd_requested: ticket.cmdRequested }),
      ...(decision?.subcommand && { decision: { subcommand: decision.subcommand } }),
      ...(fault && { message: fault.message }),
    },
    ...(ticket.screen !== null && { text: { screen: { text: ticket.screen, about: `pty ${ticket.terminalId}` } } }),
  };
}
