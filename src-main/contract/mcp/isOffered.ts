import type { Approval, ApprovalAnswer } from './approval.ts';

/** Approvals of keys and leases are for once; only commands can be allowed for longer. */
export function isOffered(
  { kind, prefix }: Pick<Approval, 'kind' | 'prefix'>,
  choice: ApprovalAnswer['choice'],
): boolean {
  if (choice === 'exact') return kind === 'command';
  return choice !== 'prefix' || (kind === 'command' && prefix !== null);
}
