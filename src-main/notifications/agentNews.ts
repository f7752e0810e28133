import type { AgentStatus } from '../contract/chat/chat.ts';
import type { Notification } from '../contract/window/notification.ts';

/** What an agent's change of state means to a person who looks elsewhere; null when nothing. */
export function agentNews(
  before: AgentStatus | null,
  now: AgentStatus | null,
): Pick<Notification, 'kind' | 'title' | 'body'> | null {
  if (now && asks(now) && !(before && asks(before) && before.asks === now.asks))
    return { kind: 'agentAsks', title: now.label, body: now.asks ?? '' };
  const hasWorked = before?.state === 'working';
  const isDone = now === null || now.state === 'idle' || now.state === 'exited';
  return hasWorked && isDone ? { kind: 'agentDone', title: before.label, body: '' } : null;
}

function asks({ state }: AgentStatus): boolean {
  return state === 'needs_approval' || state === 'needs_input';
}
