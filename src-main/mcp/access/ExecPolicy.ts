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

/** In any other shell deny rules hold and everything else asks. */
export { READ_SHELLS as RULE_SHELLS } from '../../policy/programs/programs.ts';

/** The person's policy as those need it who act for clients. Asked anew at each use, so that a change counts at once. */
export interface ExecPolicy {
  readonly policy: Pick<Policy, 'input' | 'limits'>;
  /** `words` are those of the shell that would read it: null when it has not told, undefined when that is yet to be seen. */
  judge(request: CommandRequest, words: ShellAliasTable | null | undefined): Judgement;
  /** A rule's yes is enough for that client; of one that may only suggest commands each is asked about. */
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
  // one that may not even suggest is turned away at the door
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

/** Programs that run what the repository tells them, and why they may in that folder. */
const HAZARDS = { git: gitHazard, hg: hgHazard };

/** A rule that allows a command does not allow the programs that the repository makes it run. */
function inFolder({ cwd }: CommandRequest, judgement: Judgement): Judgement {
  if (judgement.verdict !== 'allow') return judgement;
  for (const [name, hazard] of Object.entries(HAZARDS)) {
    const uses = judgement.argvs?.some(([program = '']) => programName(program) === name) ?? false;
    const reason = uses ? hazard(cwd) : null;
    if (reason !== null) return { ...judgement, verdict: 'ask', rule: `${name}_folder`, reason };
  }
  return judgement;
}
