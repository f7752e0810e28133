import type { AgentState, StateEvidence } from '../../../contract/chat/chat.ts';

/**
 * Where a claim about an agent's state comes from. Each channel holds one claim, its newest.
 * `hook`: one of the agent's hooks. `status`: OSC 7501. `progress`: OSC 9;4. `process`: its process started or ended.
 * `activity`: bytes came.
 */
export type Channel = 'hook' | 'status' | 'title' | 'notification' | 'progress' | 'screen' | 'process' | 'activity';

/** A claim of one channel. */
export interface Evidence {
  readonly channel: Channel;
  /** Null: the channel makes no claim (any more), for example because its title is ambiguous. */
  readonly state: AgentState | null;
  /** The rule that read it, and the line, title or event it read, for people. */
  readonly rule: string;
  readonly line: string;
  /** The question, if `state` is one of `needs_…`. */
  readonly asks?: string;
}

/** The channels as StateEvidence names them. */
export const SPOKEN_BY: Readonly<Record<Channel, StateEvidence['by']>> = {
  hook: 'hook',
  status: 'hook', // the agent's own channel as well, though its bytes come through the PTY
  title: 'osc',
  notification: 'osc',
  progress: 'osc',
  screen: 'screen',
  process: 'process',
  activity: 'activity',
};

/** A lower rank is believed first: the agent's own channel, its OSCs, the screen, its process, bytes. */
export const RANK: Readonly<Record<Channel, number>> = {
  hook: 1,
  status: 1,
  title: 2,
  notification: 2,
  progress: 2,
  screen: 3,
  process: 4,
  activity: 5,
};

/** Whether the agent waits for the person (`needs_…`). */
export function isWaiting(state: AgentState | null): boolean {
  return state === 'needs_approval' || state === 'needs_input';
}
