import { type Scope, ToolFault } from '../../contract/mcp/mcp.ts';
import { asProtocolError } from './answers.ts';
import { auditRead, deliveredResult, endOf, type Look } from './audited.ts';
import type { ToolCall } from './Tool.ts';

/** What has no more to be said of its answer. */
interface Answering<T> {
  /** Of the answer, as the tools count it. */
  sizeOf?(answer: T): number;
  /** What the caller needs for it: `observe` where it is not given. */
  readonly scope?: Scope;
  /** What an error is told with. */
  readonly data?: { uri: string };
}

/** Runs what reads as the tools do, under the same rules, where the protocol has no place for a refusal but an error. */
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
