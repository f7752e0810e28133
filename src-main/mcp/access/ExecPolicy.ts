import { realpathSync } from 'node:fs';
import type { CommandRequest, Judgement } from '../../contract/chat/judgement.ts';
import type { ShellAliasTable } from '../../contract/mcp/aliasWords.ts';
import type { Policy } from '../../contract/mcp/policy.ts';
import { judgeCommand } from '../../policy/judgeCommand.ts';
import { judgeInShell } from '../../policy/judgeInShell.ts';
import { programName } from '../../policy/programs/programs.ts';
import { hasScope, type PolicyClient } from '../../policy/scopeOf.ts';
import { gitHazard } from './gitFolder.ts';
import { hgHazard } from './hgFolder.ts';

/** The shells that allow rules apply to. In any other shell, deny rules apply and everything else asks. */
export { READ_SHELLS as RULE_SHELLS } from '../../policy/programs/programs.ts';

/** The person's policy for code that acts for clients. Read at each use, so a change takes effect at once. */
export interface ExecPolicy {
  readonly policy: Pick<Policy, 'input' | 'limits'>;
  /** `words`: those of the shell that would read the command; null if it has not reported them, undefined if it may still do so. */
  judge(request: CommandRequest, words: ShellAliasTable | null | undefined): Judgement;
  /** Whether a rule's yes is enough for that client; a client that may only suggest commands needs an approval for each. */
  mayRunAlone(client: PolicyClient): boolean;
}

export function execPolicy(policy: Policy): ExecPolicy {
  const judge: ExecPolicy['judge'] = (asked, words) => {
    const request = policy.exec.trust.length === 0 ? asked : { ...asked, cwd: realFolder(asked.cwd) };
    return inFolder(
      request,
      words === undefined ? judgeCommand(policy, request) : judgeInShell(policy, request, words),
    );
  };
  // `AccessControl` refuses a client that may not even suggest
  return { policy, judge, mayRunAlone: (client) => hasScope(policy, client, 'exec') };
}

/** Resolves links, so that another folder cannot pass for a trusted one; null if the folder is gone. */
function realFolder(cwd: string | null): string | null {
  try {
    return cwd === null ? null : realpathSync(cwd);
  } catch {
    return null; // the folder is gone
  }
}

/** Programs that may run code named by the repository, with the check of a folder for it. */
const HAZARDS = { git: gitHazard, hg: hgHazard };

/** Allowing a command does not allow the programs that the repository makes it run. */
function inFolder({ cwd }: CommandRequest, judgement: Judgement): Judgement {
  if (judgement.verdict !== 'allow') return judgement;
  for (const [name, hazard] of Object.entries(HAZARDS)) {
    const uses = judgement.argvs?.some(([program = '']) => programName(program) === name) ?? false;
    const reason = uses ? hazard(cwd) : null;
    if (reason !== null) return { ...judgement, verdict: 'ask', rule: `${name}_folder`, reason };
  }
  return judgement;
}
