import type { AgentState } from '../../../contract/chat/chat.ts';
import { cutLine } from '../../../util/cutLine.ts';
import type { Evidence } from './Evidence.ts';

/** States by their names in OSC 7501. Other names are ignored. */
const STATES: Readonly<Record<string, AgentState>> = {
  idle: 'idle',
  done: 'idle',
  working: 'working',
  blocked: 'needs_input',
  waiting: 'needs_input',
  needs_input: 'needs_input',
  needs_approval: 'needs_approval',
};

/** Evidence from the body of an OSC 7501, `state=working:app=name`; null without a known state. */
export function statusEvidence(body: string): Evidence | null {
  const fields = new Map(body.split(/[:;]/).map((field) => [field.split('=')[0], field.slice(field.indexOf('=') + 1)]));
  const told = STATES[fields.get('state') ?? ''];
  // The field `kind` names what blocks the agent.
  const state = told === 'needs_input' && fields.get('kind') === 'permission' ? 'needs_approval' : told;
  return state === undefined ? null : { channel: 'status', state, rule: 'OSC 7501', line: cutLine(body, 200) };
}

/** Evidence from OSC 9;4: busy while it shows progress. Without progress there is no evidence, because the agent may be done or may wait. */
export function progressEvidence(progress: 'none' | 'normal' | 'error' | 'indeterminate' | 'paused'): Evidence {
  const isBusy = progress === 'normal' || progress === 'indeterminate';
  return { channel: 'progress', state: isBusy ? 'working' : null, rule: 'OSC 9;4', line: progress };
}
