import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { CallEnd } from '../audit/AuditAggregator.ts';
import type { About, Tool, ToolCall } from './Tool.ts';

type Auditing = Pick<ToolCall, 'clients' | 'caller'>;

/** Something that a client looks at, by whatever way. */
export interface Look extends About {
  /** The tool, or the method of the protocol. */
  readonly tool: string;
}

/** A client has looked at something, or was not let. */
export function auditRead(look: Look, { clients, caller }: Auditing, end: CallEnd, bytes: number): void {
  clients.hasRead({ ...look, caller, end, bytes });
}

/** How it ended what has thrown this. */
export function endOf(error: unknown, signal: AbortSignal): CallEnd {
  if (error instanceof ToolFault) return error.code;
  return signal.aborted ? 'cancelled' : 'failed';
}

/** An answer to a call that was taken back meanwhile is sent to nobody. */
export function deliveredResult(
  told: { end: CallEnd; bytes: number },
  signal: AbortSignal,
): { end: CallEnd; bytes: number } {
  return told.end === 'answered' && signal.aborted ? { end: 'cancelled', bytes: 0 } : told;
}

/**
 * The entry of one call of a tool in the audit. What only looks is there however it ends; what may do something is there when it was not let in,
 * since everything behind the door is told where it is done.
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
    /** `bytes`: what the client was given. */
    close(bytes: number): void {
      const counted = { ...about, tool: tool.name, caller, ...deliveredResult({ end, bytes }, signal) };
      if (isRead) clients.hasRead(counted);
      else if (!isIn) clients.refusedAtDoor(counted);
    },
  };
}
