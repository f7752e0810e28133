import type { McpCaller } from '../../contract/mcp/mcp.ts';
import type { ApprovalQueue } from '../access/ApprovalQueue.ts';
import { faults, withRule } from '../protocol/execFaults.ts';
import type { Ask } from './InputJudge.ts';

/** Asks the person to approve input of a client. Resolves if the person allows it, and rejects with a ToolFault if not. */
export async function askPerson(
  { judgement, kind, bound }: Ask,
  caller: McpCaller,
  { approvals, randomId }: { approvals: ApprovalQueue; randomId: (bytes: number) => string },
): Promise<void> {
  const outcome = await approvals.decide({
    ...bound,
    kind,
    blockId: `send-${randomId(6)}`,
    caller,
    reason: null,
    rule: judgement.rule,
    why: judgement.reason,
    subcommand: judgement.subcommand,
    prefix: null,
  });
  if (outcome.type === 'denied') throw withRule(faults.deniedByUser(outcome.reason), judgement);
  if (outcome.type !== 'approved') throw withRule(faults.unanswered(), judgement);
}
