import type { Judgement } from '../../contract/chat/judgement.ts';
import type { AuditDecision } from '../../contract/mcp/audit.ts';
import type { ExecFault, IdleReason } from '../../contract/mcp/exec.ts';
import { type FaultCode, ToolFault } from '../../contract/mcp/mcp.ts';

/** Reasons why a command did not run, as its client reads them. */
export const faults = {
  gone: (id: string) => fault('PTY_GONE', `the terminal "${id}" has ended`, 'open terminals are listed by pty_list'),
  cwd: (expected: string, cwd: string) =>
    fault(
      'CWD_MISMATCH',
      `working directory is ${cwd}, expected ${expected}`,
      'check its cwd with pty_status, then ask again',
    ),
  policy: (rule: string, reason: string) =>
    fault('DENIED_BY_POLICY', `the policy denies it (${rule}): ${reason}`, 'use another command, or stop'),
  approvedElsewhere: (cwd: string | null) =>
    fault(
      'CWD_MISMATCH',
      `the approval was for another folder or screen; the working directory is now ${cwd ?? 'unknown'}`,
      'ask again',
    ),
  deniedByUser: (reason: string) =>
    fault('DENIED_BY_USER', reason === '' ? 'the person said no' : `the person said no: ${reason}`, 'do not ask again'),
  unanswered: () => fault('APPROVAL_EXPIRED', 'the person did not answer in time', 'ask again later, with a reason'),
  notStarted: (why: string) => fault('BUSY', why, 'nothing ran; look at the screen before you ask again'),
  notBegun: (how: 'passed' | 'late') =>
    how === 'passed'
      ? fault(
          'BUSY',
          'the shell accepted the line and ran nothing',
          'check that the command is complete; the screen shows what the shell printed',
        )
      : fault(
          'BUSY',
          'the shell did not start the command within 3 seconds',
          'look at the screen; do not send it again',
        ),
} satisfies Record<string, (...args: never[]) => ExecFault>;

const CODES: Readonly<Record<IdleReason, FaultCode>> = {
  user_typing: 'USER_TYPING',
  line_not_empty: 'USER_TYPING',
  alt_screen: 'ALT_SCREEN',
  block_running: 'BUSY',
  foreground_process: 'BUSY',
  agent_session: 'BUSY',
  no_prompt: 'NO_SHELL_INTEGRATION',
};

/** The terminal was not idle during the command's queue timeout. */
export function faultOfBlockers(blockers: readonly IdleReason[]): ExecFault {
  const [first] = blockers;
  const why = blockers.length === 0 ? 'other commands were queued first' : blockers.join(', ');
  return fault(first ? CODES[first] : 'BUSY', `the terminal did not become idle in time: ${why}`, 'ask again later');
}

/** The audit log's decision for a refusal. */
export function decisionOf(code: FaultCode): AuditDecision {
  if (code === 'DENIED_BY_POLICY' || code === 'DENIED_BY_USER') return 'denied';
  return code === 'APPROVAL_EXPIRED' ? 'expired' : 'refused';
}

/** The audit log's rule: the policy rule if one denied the call, else the code. */
export function auditRuleOf({ code, details }: ToolFault): string {
  return code === 'DENIED_BY_POLICY' && typeof details?.rule === 'string' ? details.rule : code;
}

/** Names the rule and the part of the command that it is about, so that the client can try another form once. */
export function deniedBy({ rule, reason, subcommand }: Pick<Judgement, 'rule' | 'reason' | 'subcommand'>): ToolFault {
  return withRule(faults.policy(rule, reason), { rule, subcommand });
}

/** A refusal by the person, with the rule that asked. */
export function withRule(
  { code, message, suggestion }: ExecFault,
  { rule, subcommand }: Pick<Judgement, 'rule' | 'subcommand'>,
): ToolFault {
  return new ToolFault(code, message, suggestion, { details: { rule, subcommand } });
}

export function thrown({ code, message, suggestion }: ExecFault): ToolFault {
  return new ToolFault(code, message, suggestion);
}

function fault(code: FaultCode, message: string, suggestion: string): ExecFault {
  return { code, message, suggestion };
}
