import { FoldedLog } from '../../../reconcile/FoldedLog.ts';
import { asFields, asList, asString, asTimeMs, type Fields, textOf } from '../../../reconcile/jsonFields.ts';
import type { OwnLog, ParserStart } from '../../../reconcile/LogMessage.ts';
import { toolInput } from '../../../reconcile/toolInput.ts';
import { CLAUDE_PLAN } from './planTools.ts';
import { takeSubAgents } from './subAgents.ts';
import { claudeUsage } from './usage.ts';

/** Claude Code's `<config>/projects/<folder>/<session>.jsonl`, seen in 2.1.29 to 2.1.329. */
export const claudeLog: OwnLog = {
  agent: 'claude',
  envNames: ['CLAUDE_CONFIG_DIR'],
  places: ({ home, env, cwd }) => [
    {
      folder: `${env.CLAUDE_CONFIG_DIR ?? `${home}/.claude`}/projects/${cwd.replace(/[^A-Za-z0-9]/g, '-')}`,
      path: [/^[0-9a-f-]{36}\.jsonl$/],
    },
  ],
  isOf: (session, cwd) => session.cwd === cwd,
  newParser: (start) => new ClaudeLogParser(start),
  newUsage: () => claudeUsage,
  sideLogs: (path) => ({ folder: `${path.replace(/\.jsonl$/, '')}/subagents`, path: [/^agent-\w+\.jsonl$/] }),
};

/** Text that the program writes as the user's instead of the typed text. */
const WRAPPED = /^<(local-command-caveat|local-command-stdout|bash-stdout|system-reminder|task-notification)/;
const INTERRUPTED = /^\[Request interrupted by user/;

class ClaudeLogParser extends FoldedLog {
  constructor(start?: ParserStart) {
    super(CLAUDE_PLAN, start);
  }

  override take(record: Fields): void {
    const { id, cwd, startedMs } = this.session;
    this.session = {
      id: id ?? asString(record.sessionId),
      cwd: cwd ?? asString(record.cwd),
      cwdDigest: null,
      startedMs: startedMs ?? asTimeMs(record.timestamp),
    };
    takeSubAgents(this.subAgentFold, record);
    if (record.isSidechain === true || record.isMeta === true || record.isCompactSummary === true) return;
    if (record.type === 'user') this.#user(record);
    else if (record.type === 'assistant' && record.isApiErrorMessage !== true) this.#assistant(record);
  }

  #user(record: Fields): void {
    const content = asFields(record.message)?.content;
    for (const part of asList(content).map(asFields))
      if (part?.type === 'tool_result') this.#result(part, asFields(record.toolUseResult));
    const text = textOf(content).trim();
    if (text === '' || WRAPPED.test(text) || INTERRUPTED.test(text)) return;
    const base = { id: asString(record.uuid) ?? text, atMs: asTimeMs(record.timestamp) };
    const command = typedCommand(text);
    this.fold.put(command === null ? { ...base, kind: 'user', text } : { ...base, kind: 'command', text: command });
  }

  #result(part: Fields, result: Fields | null): void {
    const output = textOf(part.content);
    const isDenied = /doesn't want to (take this action|proceed)/.test(output);
    const failed = part.is_error === true ? 'failed' : 'done';
    const status = isDenied ? 'denied' : result?.interrupted === true ? 'interrupted' : failed;
    const id = asString(part.tool_use_id) ?? '';
    this.fold.tool(id, { output, status });
    this.planFold.answered(id, { isFailed: status !== 'done', result, output });
  }

  /** The program writes some lines as the model's, for example "No response requested." after a resume. They are not messages. */
  #assistant(record: Fields): void {
    if (asFields(record.message)?.model === '<synthetic>') return;
    const atMs = asTimeMs(record.timestamp);
    for (const [at, part] of asList(asFields(record.message)?.content).map(asFields).entries()) {
      const text = asString(part?.text)?.trim() ?? '';
      const id = `${asString(record.uuid)}${at === 0 ? '' : `/${at}`}`;
      if (part?.type === 'text' && text !== '') this.fold.put({ id, kind: 'model', text, atMs });
      if (part?.type !== 'tool_use') continue;
      const tool = { name: asString(part.name) ?? '', ...toolInput(part.input) };
      this.planFold.called(asString(part.id) ?? id, tool.name, part.input);
      this.fold.put({ id: asString(part.id) ?? id, kind: 'tool', text: '', tool, atMs });
    }
  }
}

/** `/compact now` or `!ls` without its wrapper; null if nothing is wrapped. */
function typedCommand(text: string): string | null {
  const shell = /^<bash-input>([\s\S]*?)<\/bash-input>/.exec(text)?.[1];
  if (shell !== undefined) return `!${shell}`;
  const name = /<command-name>([\s\S]*?)<\/command-name>/.exec(text)?.[1];
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1] ?? '';
  return name === undefined ? null : `${name} ${args}`.trim();
}
