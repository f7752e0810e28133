import type { AuditDecision } from '../../contract/mcp/audit.ts';
import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { MachineLink } from '../../machines/MachineLink.ts';
import { decisionOf } from '../protocol/execFaults.ts';
import type { ToolAnswer, ToolCall } from '../protocol/Tool.ts';
import { callMachine } from './callMachine.ts';
import { inputThere, type LetIn } from './machineFor.ts';

/** Covers an open approval there after the longest wait. */
const MOST_MS = 120_000;

/**
 * Passes a call on to the machine that its ids name. That machine applies its own policy and asks its person; the audit log here gets an entry before
 * anything is sent, and a second one if the call ends without an answer. The call is sent once, because after a lost connection its outcome is
 * unknown.
 */
export async function passOn(letIn: LetIn, link: MachineLink, call: ToolCall): Promise<ToolAnswer> {
  const { tool, given, input } = letIn;
  const isRead = tool.isRead?.(input) ?? tool.hints.readOnlyHint;
  const { key, name } = link.view;
  const note = (decision: Parameters<typeof entryOf>[1]): void => {
    if (!isRead) call.clients.audit.record(entryOf({ letIn, call, host: name }, decision)); // reads are already in the audit log
  };
  note({ decision: 'allowed', rule: `host:${name}` });
  try {
    const asked = { tool: tool.name, args: inputThere(key, given), isRead, timeoutMs: MOST_MS };
    const answer = await callMachine(link, asked, call);
    const { pending_block_id: pending } = answer.facts;
    if (typeof pending !== 'string') return answer;
    return { ...answer, facts: { ...answer.facts, next: `blocks_get(block_id: "${pending}", wait_ms: 30000)` } };
  } catch (error) {
    if (error instanceof ToolFault)
      note({ decision: error.code === 'OUTCOME_UNKNOWN' ? 'cancelled' : decisionOf(error.code), rule: error.code });
    throw error;
  }
}

interface Passed {
  readonly letIn: LetIn;
  readonly call: ToolCall;
  readonly host: string;
}

function entryOf(
  { letIn: { tool, input, given }, call: { caller }, host }: Passed,
  decided: { decision: AuditDecision; rule: string },
) {
  const { terminalId, what } = tool.about(input);
  return {
    ...{ client: caller.name, callerPty: caller.terminalId, pty: terminalId, tool: tool.name },
    ...{ what: `on ${host}: ${what}`, args: given, bytes: 0, ...decided },
  };
}
