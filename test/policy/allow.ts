import type { Judgement } from '../../src-main/contract/chat/judgement.ts';
import { Policy } from '../../src-main/contract/mcp/policy.ts';
import { judgeCommand } from '../../src-main/policy/judgeCommand.ts';

/** The example of the specification. */
export const EXAMPLE = Policy.parse({
  exec: {
    allow: [
      { argv: ['git', ['status', 'diff', 'log']], flags_deny: ['-c', '-C', '--exec-path', '--output'] },
      { argv: ['ls'] },
    ],
    deny: [{ argv: ['rm'], flags_any: ['-rf', '-fr', '--recursive'] }, { raw_regex: 'curl[^|]*\\|\\s*(ba|z)?sh' }],
  },
});

/** A far too generous policy: the given programs with any arguments, every redirection and several lines. */
export function generous(...programs: string[]): Policy {
  return Policy.parse({
    exec: { allow: programs.map((argv) => ({ argv: argv.split(' ') })), redirects: 'allow', multiline: 'allow' },
  });
}

export function judge(policy: Policy, cmd: string, shell = 'bash'): Judgement {
  return judgeCommand(policy, { cmd, shell, cwd: '/home/you' });
}
