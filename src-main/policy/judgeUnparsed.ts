import type { Judgement } from '../contract/chat/judgement.ts';
import type { Policy } from '../contract/mcp/policy.ts';
import { type Hurdle, isNetwork } from './findBlockers.ts';
import { findPossibleDenial } from './findDenial.ts';

/** Judges a text that was not understood, because of `why`: never allows it, and denies it if it could contain a denied command. */
export function judgeUnparsed(policy: Policy, cmd: string, why: Hurdle): Judgement {
  const { exec } = policy;
  const denial =
    findPossibleDenial(policy, cmd) ??
    findDeniedSign(exec, cmd) ??
    (exec.default === 'deny' ? { ...why, reason: `${why.reason}, and no rule allows it` } : null);
  const { rule, reason, subcommand = null } = denial ?? why;
  return { verdict: denial ? 'deny' : 'ask', rule, subcommand, reason, argvs: null };
}

/** The ends of quotes are unknown, so a sign counts anywhere. */
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
