import {
  type Answer,
  type Json,
  type ModelRequest,
  type OfferedTool,
  type Protocol,
  type Sink,
  textOfParts,
} from './Protocol.ts';
import { piecesOf } from './script.ts';

/** OpenAI Responses, with server-sent events. */
export const openai: Protocol = {
  asks: (path) => /\/responses(\?|$)/.test(path),

  other: (path) => (/\/models(\?|$)/.test(path) ? { object: 'list', data: [], models: [] } : null),

  read(_path, body): ModelRequest {
    const input: Json[] = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? []);
    const last = input.at(-1);
    const more: Json[] = input.filter(({ type }) => type === 'additional_tools');
    const tools: Json[] = [...(body.tools ?? []), ...more.flatMap((item) => item.tools ?? [])];
    return {
      tools: tools.flatMap((tool) => tool.tools ?? [tool]).map(offered),
      lastText: last?.role === 'user' ? textOf(last.content) : '',
      results: input.filter(isResult).map(({ call_id, output }) => ({ id: call_id, text: textOfParts(output) })),
      endsInResult: isResult(last),
      schema: body.text?.format?.schema ?? null,
      isStream: body.stream === true,
    };
  },

  async write(answer, _request, sink): Promise<void> {
    responses += 1;
    const id = `resp_${responses}`;
    sink.event({ type: 'response.created', response: { id, status: 'in_progress' } }, 'response.created');
    if (answer.thinking !== '') writeThinking(`rs_${responses}`, answer.thinking, sink);
    if (answer.text !== '' && !(await writeText(`item_${responses}`, answer, sink))) return;
    if (answer.call) writeItem(callItem(answer.call), sink);
    const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
    sink.event({ type: 'response.completed', response: { id, status: 'completed', usage } }, 'response.completed');
  },
};

let responses = 0;

const isResult = (item: Json): boolean => /^(function|custom_tool)_call_output$/.test(item?.type ?? '');

function offered(tool: Json): OfferedTool {
  return {
    name: tool.name ?? tool.type,
    args: Object.keys(tool.parameters?.properties ?? {}),
    required: tool.parameters?.required ?? [],
    isFreeText: tool.type === 'custom',
  };
}

function textOf(content: Json): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }: Json) => text ?? '').join('\n');
}

function writeThinking(id: string, text: string, sink: Sink): void {
  const item = { type: 'reasoning', id, summary: [] as Json[] };
  sink.event({ type: 'response.output_item.added', item }, 'response.output_item.added');
  const part = { item_id: id, summary_index: 0 };
  sink.event({ type: 'response.reasoning_summary_part.added', ...part }, 'response.reasoning_summary_part.added');
  const delta = { type: 'response.reasoning_summary_text.delta', ...part, delta: text };
  sink.event(delta, 'response.reasoning_summary_text.delta');
  item.summary = [{ type: 'summary_text', text }];
  sink.event({ type: 'response.output_item.done', item }, 'response.output_item.done');
}

async function writeText(id: string, answer: Answer, sink: Sink): Promise<boolean> {
  const item = { type: 'message', id, role: 'assistant', status: 'in_progress', content: [] };
  sink.event({ type: 'response.output_item.added', output_index: 0, item }, 'response.output_item.added');
  for (const delta of piecesOf(answer.text, answer.pace)) {
    const event = { type: 'response.output_text.delta', item_id: id, output_index: 0, content_index: 0, delta };
    sink.event(event, 'response.output_text.delta');
    sink.sent(delta.length);
    if (!(await sink.beat(answer.pace))) return false;
  }
  const content = [{ type: 'output_text', text: answer.text, annotations: [] }];
  const done = { ...item, status: 'completed', content };
  sink.event({ type: 'response.output_item.done', output_index: 0, item: done }, 'response.output_item.done');
  return true;
}

function writeItem(item: Json, sink: Sink): void {
  sink.event({ type: 'response.output_item.added', output_index: 1, item }, 'response.output_item.added');
  sink.event({ type: 'response.output_item.done', output_index: 1, item }, 'response.output_item.done');
}

/** A call of a free-text tool has its input as text; other calls have arguments as a JSON string. */
function callItem({ id, name, input }: NonNullable<Answer['call']>): Json {
  if (typeof input === 'string') return { type: 'custom_tool_call', id: `ct_${id}`, call_id: id, name, input };
  return { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(input) };
}
