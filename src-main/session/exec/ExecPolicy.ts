import type { CommandRequest, Judgement } from '../../contract/judgement.ts';
import type { Policy } from '../../contract/policy.ts';
import type { ShellWords } from '../../contract/shellWords.ts';
import { judgeCommand } from '../../policy/judgeCommand.ts';
import { judgeInShell } from '../../policy/judgeInShell.ts';
import { scopesOf } from '../../policy/scopeOf.ts';

/** The person's policy as those need it who act for clients. Asked anew at each use, so that a change counts at once. */
export interface ExecPolicy {
  readonly policy: Pick<Policy, 'input' | 'limits'>;
  /** `words` are those of the shell that would read it: null when it has not told, undefined when that is yet to be seen. */
  judge(request: CommandRequest, words: ShellWords | null | undefined): Judgement;
  /** A rule's yes is enough for that client; of one that may only suggest commands each is asked about. */
  mayRunAlone(client: string): boolean;
}

export function execPolicy(policy: Policy): ExecPolicy {
  const judge: ExecPolicy['judge'] = (request, words) =>
    words === undefined ? judgeCommand(policy, request) : judgeInShell(policy, request, words);
  // one that may not even suggest is turned away at the door
  return { policy, judge, mayRunAlone: (client) => scopesOf(policy, client).at(-1) !== 'suggest' };
}
