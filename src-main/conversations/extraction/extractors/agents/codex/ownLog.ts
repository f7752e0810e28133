import { FoldedLog } from '../../../reconcile/FoldedLog.ts';
import {
  asFields,
  asList,
  asString,
  asTimeMs,
  type Fields,
  parseObject,
  textOf,
} from '../../../reconcile/jsonFields.ts';
import type { LogTool, OwnLog, ParserStart } from '../../../reconcile/LogMessage.ts';
import { wholeList } from '../../../reconcile/PlanFold.ts';
import { toolInput } from '../../../reconcile/toolInput.ts';
import { takeAgentCall, takeAgentNotice } from './subAgents.ts';
import { CodexUsage } from './usage.ts';

/** Codex's rollouts, `<home>/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`; seen in 0.169, with the event names of older versions. */
export const codexLog: OwnLog = {
  agent: 'codex',
  envNames: ['CODEX_HOME'],
  places: ({ home, env }) => [
    {
      folder: `${env.CODEX_HOME ?? `${home}/.codex`}/sessions`,
      path: [/^\d{4}$/, /^\d{2}$/, /^\d{2}$/, /^rollout-.*\.jsonl$/],
    },
  ],
  isOf: (session, cwd) => session.cwd === cwd,
  newParser: (start) => new CodexLogParser(start),
  newUsage: (state) => new CodexUsage(state),
};

/** Text for the model about a command's output, before the output itself. */
const OUTPUT_HEADER =
  /^(?:(?:Chunk ID|Wall time|Process \w+|Original token count|Exit code|Warning)[^\n]*\n)+Output:\n/;

/** A refusal is at the beginning; later text would be the command's output. */
const MAX_VERDICT_CHARS = 200;

class CodexLogParser extends FoldedLog {
  #unnamed: number;
  /** Newer logs report answers to the person as events: an answer without an event is a summary that the program asked for. */
  #tellsSaid: boolean;

  constructor(start?: ParserStart) {
    super({ update_plan: wholeList('plan', 'step') }, start);
    const { unnamed, tellsSaid } = start?.state ?? {};
    this.#unnamed = typeof unnamed === 'number' ? unnamed : 0;
    this.#tellsSaid = tellsSaid === true;
  }

  override get state(): object {
    return { ...super.state, unnamed: this.#unnamed, tellsSaid: this.#tellsSaid };
  }

  override take(record: Fields): void {
    const payload = asFields(record.payload);
    if (!payload) return;
    const atMs = asTimeMs(record.timestamp);
    if (record.type === 'session_meta') this.#meta(payload);
    else if (record.type === 'event_msg') this.#event(payload, atMs);
    else if (record.type === 'response_item') this.#item(payload, atMs);
  }

  #meta(payload: Fields): void {
    if (this.session.id !== null) return; // a fork also has the meta of the earlier session
    this.session = {
      id: asString(payload.id),
      cwd: asString(payload.cwd),
      cwdDigest: null,
      startedMs: asTimeMs(payload.timestamp),
    };
  }

  /** Events report what the person typed. The log's items also contain what the program adds in the person's name. */
  #event(payload: Fields, atMs: number | null): void {
    if (payload.type === 'user_message') this.#typed(asString(payload.message) ?? '', null, atMs);
    if (payload.type === 'exec_command_end') this.#executed(asString(payload.call_id) ?? '', payload, atMs);
    const item = payload.type === 'item_completed' ? asFields(payload.item) : null;
    if (item?.type === 'UserMessage') this.#typed(textOf(item.content), asString(item.id), atMs);
    if (item?.type === 'UserMessage') this.#tellsSaid = true;
    if (item?.type === 'AgentMessage') this.#said(asString(item.id), textOf(item.content), atMs);
    if (item?.type === 'CommandExecution') this.#executed(asString(item.id) ?? '', item, atMs);
    if (item?.type === 'FileChange') this.#changed(item, atMs);
    if (item?.type === 'McpToolCall') this.#called(item, atMs);
    if (item?.type === 'CollabAgentToolCall') takeAgentCall(this.subAgentFold, item, this.session.id, atMs);
  }

  #typed(text: string, id: string | null, atMs: number | null): void {
    if (text.trim() === '') return;
    this.fold.put({ id: id ?? `typed-${this.#unnamed++}`, kind: 'user', text, atMs });
  }

  #said(id: string | null, text: string, atMs: number | null): void {
    const own = text.trim();
    if (own !== '') this.fold.put({ id: id ?? `said-${this.#unnamed++}`, kind: 'model', text: own, atMs });
  }

  #item(payload: Fields, atMs: number | null): void {
    const callId = asString(payload.call_id) ?? '';
    if (payload.type === 'message' && payload.role === 'user')
      takeAgentNotice(this.subAgentFold, payload.content, atMs);
    if (payload.type === 'message' && payload.role === 'assistant') {
      const id = asString(payload.id);
      const isTold = id !== null && this.fold.get(id) !== undefined;
      if (!this.#tellsSaid || isTold) this.#said(id, textOf(payload.content), atMs);
    } else if (payload.type === 'function_call' || payload.type === 'custom_tool_call') {
      if (payload.name === SCRIPT) return;
      const args = asString(payload.arguments) ?? asString(payload.input) ?? '';
      this.planFold.called(callId, asString(payload.name) ?? '', parseObject(args));
      const tool = { name: asString(payload.name) ?? '', ...toolInput(parseObject(args) ?? args) };
      this.fold.put({ id: callId, kind: 'tool', text: '', tool, atMs });
    } else if (payload.type === 'function_call_output' || payload.type === 'custom_tool_call_output') {
      this.#answered(callId, asString(payload.output) ?? textOf(payload.output));
    }
  }

  /** Takes the output that the model got. The command's own output is preferred if it is known. */
  #answered(callId: string, output: string): void {
    this.planFold.answered(callId, { isFailed: !PLAN_TAKEN.test(output), output });
    const known = this.fold.get(callId)?.tool;
    if (known?.output !== undefined) return;
    const isDenied = /(rejected|denied) by user/i.test(output.slice(0, MAX_VERDICT_CHARS));
    const isStopped = /\naborted by user$/.test(output);
    const status: LogTool['status'] = isDenied ? 'denied' : isStopped ? 'interrupted' : undefined;
    this.fold.tool(callId, { output: output.replace(OUTPUT_HEADER, ''), ...(status && { status }) });
  }

  /** A command that the model's script has run has no separate call. */
  #executed(id: string, item: Fields, atMs: number | null): void {
    const status: LogTool['status'] = item.status === 'declined' ? 'denied' : item.exit_code === 0 ? 'done' : 'failed';
    const command = commandOf(item.command);
    this.#ended(id, { name: 'exec_command', input: command, subject: command }, atMs);
    this.fold.tool(id, { output: asString(item.aggregated_output) ?? '', status });
  }

  #changed(item: Fields, atMs: number | null): void {
    const id = asString(item.id) ?? '';
    const status: LogTool['status'] =
      item.status === 'declined' ? 'denied' : item.status === 'failed' ? 'failed' : 'done';
    const changes = asFields(item.changes) ?? {};
    const subject = Object.keys(changes).join(' ');
    const input = Object.entries(changes).map(([path, change]) => `${path}:\n${textOfChange(asFields(change))}`);
    this.#ended(id, { name: 'apply_patch', input: input.join('\n'), subject }, atMs);
    this.fold.tool(id, { output: asString(item.stdout) ?? '', status });
  }

  /** A tool of a server, with the name that the screen shows. */
  #called(item: Fields, atMs: number | null): void {
    const id = asString(item.id) ?? '';
    const name = `${asString(item.server) ?? ''}.${asString(item.tool) ?? ''}`;
    const status = CALLED[asString(item.status) ?? ''];
    this.#ended(id, { name, ...toolInput(item.arguments) }, atMs);
    this.fold.tool(id, { output: textOf(asFields(item.result)?.content), ...(status && { status }) });
  }

  #ended(id: string, tool: LogTool, atMs: number | null): void {
    if (!this.fold.get(id)) this.fold.put({ id, kind: 'tool', text: '', tool, atMs });
  }
}

const CALLED: Readonly<Record<string, LogTool['status']>> = { completed: 'done', failed: 'failed' };

/** The tool's answer to the model if it accepted the plan; otherwise the answer says what is wrong. */
const PLAN_TAKEN = /^Plan updated/;

/** A script of the model, whose commands and changes are reported one by one. */
const SCRIPT = 'exec';

/** The command that the shell got, without the shell. */
function commandOf(words: unknown): string {
  const all = asList(words).map((word) => asString(word) ?? '');
  return /^-l?c$/.test(all[1] ?? '') && all.length === 3 ? (all[2] ?? '') : all.join(' ');
}

function textOfChange(change: Fields | null): string {
  return asString(change?.unified_diff) ?? asString(change?.content) ?? '';
}
