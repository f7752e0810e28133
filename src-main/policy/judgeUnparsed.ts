import type { Judgement } from '../contract/chat/judgement.ts';
import type { Policy } from '../contract/mcp/policy.ts';
import { type Hurdle, isNetwork } from './findBlockers.ts';
import { findPossibleDenial } from './findDenial.ts';

/** Judges a text that was not understood, and `why`: never allow, and deny when anything that is denied could be in it. */
export function judgeUnparsed(policy: Policy, cmd: string, why: Hurdle): Judgement {
  const { exec } = policy;
  const denial =
    findPossibleDenial(policy, cmd) ??
    findDeniedSign(exec, cmd) ??
    (exec.default === 'deny' ? { ...why, reason: `${why.reason}, and no rule allows it` } : null);
  const { rule, reason, subcommand = null } = denial ?? why;
  return { verdict: denial ? 'deny' : 'ask', rule, subcommand, reason, argvs: null };
}

/** Where the quotes end is not known, so a sign counts wherever it stands. */
function findDeniedSign(exec: Policy['exec'], cmd: string): Hurdle | null {
  if (exec.network_redirect === 'deny' && isNetwork(cmd))
    return { rule: 'network_redirect', reason: 'it may connect to a host through /dev/tcp or /dev/udp' };
  if (exec.substitution === 'deny' && /[$`]|[<>=]\(/.test(cmd))
    return { rule: 'substitution', reason: 'it may have a substitution' };
  if (exec.redirects === 'deny' && /[<>]/.test(cmd)) return { rule: 'redirects', reason: 'it may be redirected' };
  if (exec.multiline === 'deny' && /[\n\r]/.test(cmd))
    return { rule: 'multiline', reason: 'it has more than one line' };
  return null;
}
