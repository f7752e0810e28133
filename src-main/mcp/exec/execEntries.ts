import type { AuditLine } from '../../contract/mcp/audit.ts';
import type { ExecInput } from '../../contract/mcp/exec.ts';
import type { McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import { auditRuleOf, decisionOf } from '../protocol/execFaults.ts';
import type { ExecRequest } from './ExecRequest.ts';

/** The audit entry for the decision on a command. */
export function decidedEntry(request: ExecRequest, decision: AuditLine['decision'], rule: string | null): AuditEntry {
  const { caller, cmd, blockId, input } = request;
  const hasRun = decision === 'allowed' || decision === 'approved'; // only a command that ran has a block
  return {
    ...{ client: caller.name, callerPty: caller.terminalId, pty: input.terminalId },
    ...{ tool: 'pty_exec', what: cmd, decision, rule },
    block: hasRun ? blockId : null,
    args: { ...input, block_id: blockId },
    bytes: hasRun ? Buffer.byteLength(cmd) + 1 : 0,
  };
}

/** The audit entry for a call that was refused at once. */
export function refusedEntry(asked: ExecInput, caller: McpCaller, fault: ToolFault): AuditEntry {
  return {
    ...{ client: caller.name, callerPty: caller.terminalId, pty: asked.terminalId },
    ...{ tool: 'pty_exec', what: asked.cmd, args: asked, bytes: 0 },
    decision: decisionOf(fault.code),
    rule: auditRuleOf(fault),
  };
}
