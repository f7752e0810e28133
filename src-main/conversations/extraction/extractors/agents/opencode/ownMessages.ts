import { asCount, asFields, asString, type Fields } from '../../../reconcile/jsonFields.ts';
import type { LogTool, MessageFold } from '../../../reconcile/LogMessage.ts';
import type { UsageEntry } from '../../../reconcile/LogUsage.ts';
import { toolInput } from '../../../reconcile/toolInput.ts';

interface Sink {
  readonly fold: Pick<MessageFold, 'put'>;
  usage(entry: UsageEntry): void;
}

const STATUS: Readonly<Record<string, LogTool['status']>> = { completed: 'done', error: 'failed', running: 'running' };

/** Takes a message of OpenCode's database with its parts. The summary of a compacted conversation is no answer. */
export function takeMessage(
  sink: Sink,
  message: Fields & { id: string },
  parts: readonly (Fields & { id: string })[],
): void {
  const atMs = asCount(asFields(message.time)?.created);
  const kind = message.role === 'user' ? 'user' : 'model';
  for (const part of parts) {
    const at = asCount(asFields(part.time)?.start) ?? atMs;
    const text = asString(part.text)?.trim() ?? '';
    if (part.type === 'text' && part.synthetic !== true && message.summary !== true && text !== '')
      sink.fold.put({ id: part.id, kind, text, atMs: at });
    if (part.type === 'tool') takeTool(sink, part, at);
  }
  if (kind === 'model') takeUsage(sink, message, atMs);
}

function takeTool(sink: Sink, part: Fields & { id: string }, messageMs: number | null): void {
  const state = asFields(part.state);
  const atMs = asCount(asFields(state?.time)?.start) ?? messageMs;
  const output = asString(state?.output) ?? asString(state?.error);
  const isDenied = /rejected permission/.test(asString(state?.error) ?? '');
  const status = isDenied ? 'denied' : STATUS[asString(state?.status) ?? ''];
  const tool: LogTool = {
    name: asString(part.tool) ?? '',
    ...toolInput(state?.input),
    ...(output !== null && { output }),
    ...(status && { status }),
  };
  sink.fold.put({ id: part.id, kind: 'tool', text: '', tool, atMs });
}

function takeUsage(sink: Sink, message: Fields & { id: string }, atMs: number | null): void {
  const tokens = asFields(message.tokens);
  const time = asFields(message.time);
  const [created, completed] = [asCount(time?.created), asCount(time?.completed)];
  if (!tokens) return;
  const [input, output] = [asCount(tokens.input), asCount(tokens.output)];
  const cacheRead = asCount(asFields(tokens.cache)?.read);
  const cacheWrite = asCount(asFields(tokens.cache)?.write);
  sink.usage({
    ...{ id: message.id, atMs, model: asString(message.modelID), input, cacheRead, cacheWrite },
    allInput: input === null ? null : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: output === null ? null : output + (asCount(tokens.reasoning) ?? 0),
    cost: asCount(message.cost),
    busyMs: created !== null && completed !== null ? Math.max(0, completed - created) : null,
    isWhole: completed !== null && message.error === undefined, // zeros until the answer is complete
  });
}
