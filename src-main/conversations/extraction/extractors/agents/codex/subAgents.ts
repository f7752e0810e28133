import type { SubAgent } from '../../../../../contract/chat/progress.ts';
import { asFields, asList, asString, type Fields, parseObject, textOf } from '../../../reconcile/jsonFields.ts';
import type { SubAgentFold } from '../../../reconcile/SubAgentFold.ts';

const NOTICE = /^<subagent_notification>\s*(\{[\s\S]*\})\s*<\/subagent_notification>/;

/** The program's words for a sub-agent's state. The word for a sub-agent that it does not find is left out: it shows no state. */
const STATES: Readonly<Record<string, SubAgent['state']>> = {
  pending_init: 'working',
  running: 'working',
  completed: 'done',
  errored: 'failed',
  interrupted: 'stopped',
  shutdown: 'stopped',
};

/** Takes a completed item's reports about sub-agents: which one was started, and the states of those it names. */
export function takeAgentCall(fold: SubAgentFold, item: Fields, session: string | null, atMs: number | null): void {
  const sender = asString(item.sender_thread_id);
  const parent = sender === session ? null : sender;
  if (item.tool === 'spawn_agent' && item.status === 'completed')
    for (const agent of asList(item.receiver_agents).map(asFields)) {
      const id = asString(agent?.thread_id);
      const title = asString(item.prompt)?.trim().split('\n', 1)[0] ?? '';
      if (id !== null) fold.started(id, { parent, title, kind: asString(agent?.agent_role) ?? '', atMs });
    }
  for (const [id, status] of Object.entries(asFields(item.agents_states) ?? {})) takeStatus(fold, id, status, atMs);
}

/** Takes a message in the person's name that reports how a sub-agent ended. */
export function takeAgentNotice(fold: SubAgentFold, content: unknown, atMs: number | null): void {
  const notice = parseObject(NOTICE.exec(textOf(content))?.[1] ?? '');
  const id = asString(notice?.agent_path);
  if (id !== null) takeStatus(fold, id, notice?.status, atMs);
}

/** `status`: a word, or an object whose only key is the word. */
function takeStatus(fold: SubAgentFold, id: string, status: unknown, atMs: number | null): void {
  const word = asString(status) ?? Object.keys(asFields(status) ?? {})[0] ?? '';
  const state = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
  if (state !== undefined) fold.became(id, state, atMs);
}
