import type { Judgement } from '../../contract/chat/judgement.ts';
import type { ShellAliasTable } from '../../contract/mcp/aliasWords.ts';
import type { ExecDecision } from '../../contract/mcp/exec.ts';
import type { McpCaller } from '../../contract/mcp/mcp.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { TaintedShells } from '../exec/TaintedShells.ts';
import { policyClient } from './AccessControl.ts';
import { type ApprovalQueue, approvalHash, type Bound } from './ApprovalQueue.ts';
import type { ExecPolicy } from './ExecPolicy.ts';

/** What to judge: the policy judges `requested`; a person approves `cmd`, the text that would be typed. */
export interface Wanted {
  readonly caller: McpCaller;
  readonly cmd: string;
  readonly requested: string;
  /** The folder to run in, if it differs from the shell's working directory. */
  readonly cwd: string | null;
  readonly approvedHash: string | null;
}

export type AuthorityVerdict =
  /** `words`: the shell's own at the time of the judgement; a rule's yes counts only while they are the same. */
  | { type: 'allowed'; decision: ExecDecision; bound: Bound; words: ShellAliasTable | null }
  | { type: 'ask'; judgement: Judgement; bound: Bound }
  | { type: 'denied'; judgement: Judgement }
  /** The person approved it for a different folder or screen than the current one. */
  | { type: 'void'; bound: Bound };

/** Decides whether a command may run now: first by the policy, then by what the person allowed in this terminal. */
export async function authorize(
  wanted: Wanted,
  terminal: PtyInstance,
  { policy, approvals, shells }: { policy: ExecPolicy; approvals: ApprovalQueue; shells: TaintedShells },
): Promise<AuthorityVerdict> {
  const reading = await terminal.screen.read({ scrollback: 0 });
  const epoch = 'error' in reading ? '' : reading.epoch;
  const words = terminal.reports.words.now;
  const { shell, cwd, atPrompt } = terminal.view; // no await from here on, so that all facts are of one moment
  const bound: Bound = { cmd: wanted.cmd, cwd, terminalId: terminal.id, epoch };
  const request = { cmd: wanted.requested, shell, cwd: wanted.cwd ?? cwd };
  // a starting shell reports its words at its first prompt, and nothing is typed before that
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
