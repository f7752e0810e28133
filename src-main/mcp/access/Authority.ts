import type { Judgement } from '../../contract/chat/judgement.ts';
import type { ShellAliasTable } from '../../contract/mcp/aliasWords.ts';
import type { ExecDecision } from '../../contract/mcp/exec.ts';
import type { McpCaller } from '../../contract/mcp/mcp.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { TaintedShells } from '../exec/TaintedShells.ts';
import { policyClient } from './AccessControl.ts';
import { type ApprovalQueue, approvalHash, type Bound } from './ApprovalQueue.ts';
import type { ExecPolicy } from './ExecPolicy.ts';

/** What is to be judged: `requested` by the policy; `cmd`, which is what would be typed, is what a person approves. */
export interface Wanted {
  readonly caller: McpCaller;
  readonly cmd: string;
  readonly requested: string;
  /** Where it would run, when it is not where the shell stands. */
  readonly cwd: string | null;
  readonly approvedHash: string | null;
}

export type AuthorityVerdict =
  /** `words`: the shell's own when it was judged; a rule's yes counts only while they are the same. */
  | { type: 'allowed'; decision: ExecDecision; bound: Bound; words: ShellAliasTable | null }
  | { type: 'ask'; judgement: Judgement; bound: Bound }
  | { type: 'denied'; judgement: Judgement }
  /** The person has approved it for another folder or screen than there is now. */
  | { type: 'void'; bound: Bound };

/** Says whether a command may run as things are now: the policy first, then what the person has allowed here. */
export async function authorize(
  wanted: Wanted,
  terminal: PtyInstance,
  { policy, approvals, shells }: { policy: ExecPolicy; approvals: ApprovalQueue; shells: TaintedShells },
): Promise<AuthorityVerdict> {
  const reading = await terminal.screen.read({ scrollback: 0 });
  const epoch = 'error' in reading ? '' : reading.epoch;
  const { words } = terminal;
  const { shell, cwd, atPrompt } = terminal.view; // from here on without a pause, so that all of it is of one moment
  const bound: Bound = { cmd: wanted.cmd, cwd, terminalId: terminal.id, epoch };
  const request = { cmd: wanted.requested, shell, cwd: wanted.cwd ?? cwd };
  // a shell that is still starting tells at its first prompt, and before that nothing is typed
  const told = words === null && !atPrompt ? undefined : words;
  const judged = shells.judged(terminal, policy.judge(request, told));
  const judgement =
    judged.verdict === 'allow' && !policy.mayRunAlone(policyClient(wanted.caller)) ? suggested(judged) : judged;
  const { rule, subcommand, verdict } = judgement;
  if (verdict === 'deny') return { type: 'denied', judgement };
  if (verdict === 'allow')
    return { type: 'allowed', decision: { by: 'policy', choice: null, rule, subcommand }, bound, words };
  const byUser = (choice: ExecDecision['choice']): ExecDecision => ({ by: 'user', choice, rule, subcommand });
  if (wanted.approvedHash === approvalHash(bound)) return { type: 'allowed', decision: byUser('once'), bound, words };
  const place = { terminalId: terminal.id, client: wanted.caller.name, account: wanted.caller.account };
  if (approvals.grants.hasExact(place, bound)) return { type: 'allowed', decision: byUser('exact'), bound, words };
  if (approvals.grants.hasPrefix(place, judgement))
    return { type: 'allowed', decision: byUser('prefix'), bound, words };
  return wanted.approvedHash === null ? { type: 'ask', judgement, bound } : { type: 'void', bound };
}

function suggested(judgement: Judgement): Judgement {
  return {
    ...judgement,
    verdict: 'ask',
    rule: 'suggest',
    reason: 'this client may suggest commands, and you say of each',
  };
}
