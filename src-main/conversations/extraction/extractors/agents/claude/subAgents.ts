import type { SubAgent } from '../../../../../contract/chat/progress.ts';
import { asFields, asList, asString, asTimeMs, type Fields } from '../../../reconcile/jsonFields.ts';
import type { SubAgentFold } from '../../../reconcile/SubAgentFold.ts';

/** `Task` up to 2.1.2. */
const TOOLS: readonly unknown[] = ['Agent', 'Task'];
const NOTICE = /^<task-notification>/;
/** Words of a notice that say how a background sub-agent ended. */
const ENDS: Readonly<Record<string, SubAgent['state']>> = {
  completed: 'done',
  failed: 'failed',
  killed: 'stopped',
  stopped: 'stopped',
};

/**
 * Takes a line's reports about sub-agents, from the session's log or from the log of a sub-agent, which may start others. A sub-agent is
 * a call of a tool; a background one continues after the call's result, and a notice in the person's name reports how it ended.
 */
export function takeSubAgents(fold: SubAgentFold, record: Fields): void {
  // the log also has requests (`api-request-blob`), without the program's details of a result
  if (record.type !== 'user' && record.type !== 'assistant') return;
  const content = asFields(record.message)?.content;
  const atMs = asTimeMs(record.timestamp);
  if (typeof content === 'string') return takeNotice(fold, content, atMs);
  for (const part of asList(content).map(asFields)) {
    if (part?.type === 'text') takeNotice(fold, asString(part.text) ?? '', atMs);
    if (part?.type === 'tool_use' && TOOLS.includes(part.name)) takeCall(fold, part, record);
    if (part?.type === 'tool_result') takeResult(fold, part, record);
  }
}

function takeCall(fold: SubAgentFold, part: Fields, record: Fields): void {
  const input = asFields(part.input);
  const id = asString(part.id);
  if (id === null) return;
  fold.started(id, {
    parent: record.isSidechain === true ? asString(record.agentId) : null,
    title: asString(input?.description) ?? '',
    kind: asString(input?.subagent_type) ?? '',
    atMs: asTimeMs(record.timestamp),
  });
}

function takeResult(fold: SubAgentFold, part: Fields, record: Fields): void {
  const id = asString(part.tool_use_id) ?? '';
  const result = asFields(record.toolUseResult);
  const agentId = asString(result?.agentId);
  if (agentId !== null) fold.named(id, agentId);
  if (result?.status === 'async_launched') return;
  const isStopped = result?.interrupted === true || record.toolUseResult === 'User rejected tool use';
  const state = isStopped ? 'stopped' : part.is_error === true ? 'failed' : 'done';
  fold.became(id, state, asTimeMs(record.timestamp));
}

/** A sub-agent that gets another message works again, and has another notice later. */
function takeNotice(fold: SubAgentFold, text: string, atMs: number | null): void {
  if (!NOTICE.test(text)) return;
  const word = /<status>(\w+)<\/status>/.exec(text)?.[1] ?? '';
  const state = Object.hasOwn(ENDS, word) ? ENDS[word] : undefined;
  const name = /<tool-use-id>([^<]+)<\/tool-use-id>/.exec(text)?.[1] ?? /<task-id>([^<]+)<\/task-id>/.exec(text)?.[1];
  if (state !== undefined && name !== undefined) fold.became(name, state, atMs);
}
