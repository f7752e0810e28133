import type { SubAgent } from '../../../../../contract/chat/progress.ts';
import { asFields, asList, asString, asTimeMs, type Fields, textOf } from '../../../reconcile/jsonFields.ts';
import type { SubAgentFold } from '../../../reconcile/SubAgentFold.ts';

const TOOL = 'invoke_agent';
/** With this call a sub-agent hands in its report. */
const REPORT_TOOL = 'complete_task';
/** The task of a sub-agent that adds its own words around it, for example `codebase_investigator`. */
const OBJECTIVE = /<objective>\s*([\s\S]*?)\s*<\/objective>/;
const ENDS: Readonly<Record<string, SubAgent['state']>> = { success: 'done', error: 'failed', cancelled: 'stopped' };

/** Takes a line of a sub-agent's log, which exists from its start. The program names the file by the sub-agent's id. */
export function takeOwnLine(fold: SubAgentFold, record: Fields, id: string): void {
  const atMs = asTimeMs(record.timestamp);
  if (record.kind === 'subagent')
    fold.started(id, { parent: null, title: '', kind: '', atMs: asTimeMs(record.startTime) });
  if (record.type === 'user') {
    const text = textOf(record.content);
    fold.described(id, { title: titleOf(OBJECTIVE.exec(text)?.[1] ?? text) });
  }
  for (const call of asList(record.toolCalls).map(asFields))
    if (call?.name === REPORT_TOOL && call.status === 'success')
      fold.became(id, 'done', asTimeMs(call.timestamp) ?? atMs);
}

/** Takes a call of the session's log. The program writes a call when it has ended, so the sub-agent's outcome is known. */
export function takeEndedCall(fold: SubAgentFold, call: Fields): void {
  const id = asString(call.agentId);
  if (call.name !== TOOL || id === null) return;
  const args = asFields(call.args);
  const told = { title: titleOf(asString(args?.prompt) ?? ''), kind: asString(args?.agent_name) ?? '' };
  const atMs = asTimeMs(call.timestamp);
  fold.started(id, { parent: null, ...told, atMs });
  fold.described(id, told);
  const status = asString(call.status) ?? '';
  const state = Object.hasOwn(ENDS, status) ? ENDS[status] : undefined;
  if (state !== undefined) fold.became(id, state, atMs);
}

function titleOf(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
