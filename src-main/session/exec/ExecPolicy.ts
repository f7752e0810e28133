import type { CommandRequest, Judgement } from '../../contract/judgement.ts';
import type { Policy } from '../../contract/policy.ts';
import { judgeCommand } from '../../policy/judgeCommand.ts';

/** The person's policy as those need it who act for clients. Asked anew at each use, so that a change counts at once. */
export interface ExecPolicy {
  readonly policy: Pick<Policy, 'input' | 'limits'>;
  judge(request: CommandRequest): Judgement;
}

export function execPolicy(policy: Policy): ExecPolicy {
  return { policy, judge: (request) => judgeCommand(policy, request) };
}
