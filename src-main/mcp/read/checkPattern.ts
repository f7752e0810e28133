import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { WaitResult } from '../../contract/screen/screen.ts';

/** Throws if an expression cannot be used, with the same error for every tool. */
export function checkPattern({ outcome, reason }: Pick<WaitResult, 'outcome' | 'reason'>): void {
  const why = reason ?? 'the expression cannot be used';
  if (outcome === 'slow-pattern')
    throw new ToolFault('REGEX_TIMEOUT', why, 'make it simpler; text as it stands needs none');
  if (outcome === 'bad-pattern') throw new ToolFault('BAD_REGEX', why, 'escape what is meant as it stands');
}
