import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { CallEnd } from '../audit/AuditAggregator.ts';
import type { About, Tool, ToolCall } from './Tool.ts';

type Auditing = Pick<ToolCall, 'clients' | 'caller'>;

/** A read by a client, whatever the method. */
export interface Look extends About {
  /** The tool, or the method of the protocol. */
  readonly tool: string;
}

/** Records that a client read something or was refused. */
export function auditRead(look: Look, { clients, caller }: Auditing, end: CallEnd, bytes: number): void {
  clients.audit.hasRead({ ...look, caller, end, bytes });
}

/** How a call that threw this error ended. */
export function endOf(error: unknown, signal: AbortSignal): CallEnd {
  if (error instanceof ToolFault) return error.code;
  return signal.aborted ? 'cancelled' : 'failed';
}

/** An answer to a call that was cancelled meanwhile is not sent. */
export function deliveredResult(
  told: { end: CallEnd; bytes: number },
  signal: AbortSignal,
): { end: CallEnd; bytes: number } {
  return told.end === 'answered' && signal.aborted ? { end: 'cancelled', bytes: 0 } : told;
}

/**
 * The audit entry of one tool call. A read always gets one; a call that may change something gets one here only if it was refused, because an
 * admitted one is recorded where it acts.
 */
export function auditedCall(tool: Tool, { clients, caller, signal }: ToolCall) {
  let about: About = { terminalId: null, what: '' };
  let isRead = tool.hints.readOnlyHint;
  let isIn = false;
  let end: CallEnd = 'answered';
  return {
    understood(input: Record<string, unknown>): void {
      about = tool.about(input);
      isRead = tool.isRead?.(input) ?? isRead;
    },
    entered(): void {
      isIn = true;
    },
    failed(error: unknown): void {
      end = endOf(error, signal);
    },
    /** `bytes`: the size of the answer to the client. */
    close(bytes: number): void {
      const counted = { ...about, tool: tool.name, caller, ...deliveredResult({ end, bytes }, signal) };
      if (isRead) clients.audit.hasRead(counted);
      else if (!isIn) clients.audit.refusedAtDoor(counted);
    },
  };
}
