import type { McpCaller } from '../../contract/mcp/mcp.ts';
import type { ApprovalQueue } from '../access/ApprovalQueue.ts';
import { faults, withRule } from '../protocol/execFaults.ts';

/** The policy's rule for a client that wants to type. */
export const INPUT = { rule: 'input', subcommand: null } as const;

interface AskedKeys {
  readonly terminalId: string;
  readonly reason: string;
  readonly ttlMs: number;
  readonly caller: McpCaller;
}

/** Asks the person whether a client may type. Calls `beginWait` before, and the function it returns after the answer. Throws if they refuse. */
export async function askForKeys(
  { terminalId, reason, ttlMs, caller }: AskedKeys,
  { approvals, randomId }: { approvals: ApprovalQueue; randomId: (bytes: number) => string },
  beginWait?: () => () => void,
): Promise<void> {
  const endWait = beginWait?.();
  const asking = approvals.decide({
    cmd: `type into this terminal for ${Math.round(ttlMs / 1000)} seconds`,
    kind: 'control',
    cwd: null,
    terminalId,
    epoch: '',
    blockId: `lease-${randomId(6)}`,
    caller,
    reason: reason === '' ? null : reason,
    ...INPUT,
    why: 'the policy asks before a client may type',
    prefix: null,
  });
  const outcome = await asking.finally(endWait);
  if (outcome.type === 'denied') throw withRule(faults.deniedByUser(outcome.reason), INPUT);
  if (outcome.type !== 'approved') throw withRule(faults.unanswered(), INPUT);
}
