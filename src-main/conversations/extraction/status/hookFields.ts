import type { AgentState } from '../../../contract/chat/chat.ts';
import { cutLine } from '../../../util/cutLine.ts';
import { asFields, asString, type Fields, textOf } from '../reconcile/jsonFields.ts';
import { toolInput } from '../reconcile/toolInput.ts';
import type { Evidence } from './Evidence.ts';
import type { HookPiece, HookSignal } from './HookSource.ts';

const MAX_LINE_CHARS = 200;

/** A signal with the session, in the fields that most agents use. */
export function hookSignal(payload: Fields, evidence: Evidence | null, piece: HookPiece | null = null): HookSignal {
  const session = { id: asString(payload.session_id), logPath: asString(payload.transcript_path) };
  return { evidence, piece, session };
}

/** Evidence from the event `rule`; `line` describes it for people. */
export function hookEvidence(state: AgentState, rule: string, line: string): Evidence {
  const cut = cutLine(line, MAX_LINE_CHARS);
  const isAsking = state === 'needs_approval' || state === 'needs_input';
  return { channel: 'hook', state, rule, line: cut, ...(isAsking && { asks: cut }) };
}

/** `Bash: ls -l`, as a line for people. */
export function toolLine(payload: Fields): string {
  const { subject } = toolInput(payload.tool_input);
  return `${asString(payload.tool_name) ?? ''}: ${subject}`.replace(/: $/, '');
}

export function callPiece(payload: Fields): HookPiece {
  const name = asString(payload.tool_name) ?? '';
  return { type: 'call', id: asString(payload.tool_use_id), tool: { name, ...toolInput(payload.tool_input) } };
}

export function resultPiece(payload: Fields, response: unknown): Extract<HookPiece, { type: 'result' }> {
  const fields = asFields(response);
  const output = asString(response) ?? asString(fields?.stdout) ?? textOf(fields?.content ?? fields?.llmContent);
  const status = fields?.interrupted === true ? 'interrupted' : fields?.error ? 'failed' : 'done';
  const name = asString(payload.tool_name) ?? '';
  return { type: 'result', id: asString(payload.tool_use_id), name, output, status };
}
