import type { CommandRequest, Judgement } from '../../contract/judgement.ts';
import type { Policy } from '../../contract/policy.ts';
import type { ShellWords } from '../../contract/shellWords.ts';
import { judgeCommand } from '../../policy/judgeCommand.ts';
import { judgeInShell } from '../../policy/judgeInShell.ts';
import { programName } from '../../policy/programs.ts';
import { hasScope } from '../../policy/scopeOf.ts';
import { gitHazard } from './gitFolder.ts';

/** In any other shell deny rules hold and everything else asks. */
export { READ_SHELLS as RULE_SHELLS } from '../../policy/programs.ts';

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
    inFolder(request, words === undefined ? judgeCommand(policy, request) : judgeInShell(policy, request, words));
  // one that may not even suggest is turned away at the door
  return { policy, judge, mayRunAlone: (client) => hasScope(policy, client, 'exec') };
}

/** A rule that allows a git command does not allow the programs that the repository makes git run. */
function inFolder({ cwd }: CommandRequest, judgement: Judgement): Judgement {
  if (judgement.verdict !== 'allow') return judgement;
  const usesGit = judgement.argvs?.some(([program = '']) => programName(program) === 'git') ?? false;
  const reason = usesGit ? gitHazard(cwd) : null;
  return reason === null ? judgement : { ...judgement, verdict: 'ask', rule: 'git_folder', reason };
}
