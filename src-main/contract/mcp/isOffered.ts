import type { Approval, ApprovalAnswer } from './approval.ts';

/** Keys, and the right to type, are given once: what lasts is for commands. */
export function isOffered(
  { kind, prefix }: Pick<Approval, 'kind' | 'prefix'>,
  choice: ApprovalAnswer['choice'],
): boolean {
  if (choice === 'exact') return kind === 'command';
  return choice !== 'prefix' || (kind === 'command' && prefix !== null);
}
