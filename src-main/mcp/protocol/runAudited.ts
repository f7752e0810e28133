import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type Scope, ToolFault } from '../../contract/mcp/mcp.ts';
import { auditRead, deliveredResult, endOf, type Look } from './audited.ts';
import type { ToolCall } from './Tool.ts';
import { untrustedText } from './untrustedText.ts';

/** Optional facts about the answer. */
interface Answering<T> {
  /** Size of the answer, as tools count it. */
  sizeOf?(answer: T): number;
  /** The scope that the caller needs; by default `observe`. */
  readonly scope?: Scope;
  /** Data for the protocol error. */
  readonly data?: { uri: string };
}

/** Runs a read under the same rules as tools, for methods whose refusals are protocol errors. */
export async function runAudited<T>(
  look: Look,
  call: ToolCall,
  run: () => T | Promise<T>,
  { sizeOf = () => 0, scope = 'observe', data }: Answering<T> = {},
): Promise<T> {
  try {
    const leave = call.authority.enter({ tool: look.tool, scope, isWait: false }, call.caller);
    let bytes = 0;
    try {
      const answer = await run();
      bytes = sizeOf(answer);
      const told = deliveredResult({ end: 'answered', bytes }, call.signal);
      auditRead(look, call, told.end, told.bytes);
      return answer;
    } finally {
      leave(bytes);
    }
  } catch (error) {
    auditRead(look, call, endOf(error, call.signal), 0);
    throw error instanceof ToolFault ? asProtocolError(error, data) : error;
  }
}

/** A refusal where the protocol knows only errors: resources and prompts. */
function asProtocolError({ code, message, suggestion }: ToolFault, data?: { uri: string }): ProtocolError {
  const { text } = untrustedText(`${code}: ${message} — ${suggestion}`);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text, data);
}
