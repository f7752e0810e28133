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

/** OpenAI Chat Completions, with server-sent events. */
export const completions: Protocol = {
  asks: (path) => /\/chat\/completions(\?|$)/.test(path),

  other: (path) => (/\/models(\?|$)/.test(path) ? { object: 'list', data: [] } : null),

  read(_path, body): ModelRequest {
    const messages: Json[] = body.messages ?? [];
    const last = messages.at(-1);
    // Some agents append their own text as a separate user message after the prompt.
    const trailing = messages.slice(messages.findLastIndex(({ role }) => role !== 'user') + 1);
    return {
      tools: (body.tools ?? []).map(offered),
      lastText: trailing.map(({ content }) => textOfParts(content)).join('\n'),
      results: messages
        .filter(({ role }) => role === 'tool')
        .map(({ tool_call_id, content }) => ({ id: tool_call_id, text: textOfParts(content) })),
      endsInResult: last?.role === 'tool',
      schema: body.response_format?.json_schema?.schema ?? null,
      isStream: body.stream === true,
    };
  },

  async write(answer, request, sink): Promise<void> {
    const calls = answer.call ? [callOf(answer.call)] : undefined;
    const reason = calls ? 'tool_calls' : 'stop';
    if (!request.isStream) {
      const message = { role: 'assistant', content: answer.text, ...(calls && { tool_calls: calls }) };
      return sink.json({ ...head('chat.completion'), choices: [{ index: 0, message, finish_reason: reason }], usage });
    }
    const id = head('chat.completion.chunk');
    const send = (delta: Json, finish_reason: string | null = null) =>
      sink.event({ ...id, choices: [{ index: 0, delta, finish_reason }] });
    send({ role: 'assistant', content: '' });
    if (answer.thinking !== '') send({ reasoning_content: answer.thinking });
    if (!(await writeText(answer, send, sink))) return;
    if (calls) send({ tool_calls: calls.map((call, index) => ({ index, ...call })) });
    send({}, reason);
    sink.event({ ...id, choices: [], usage });
  },
};

let answers = 0;
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function head(object: string): Json {
  answers += 1;
  return { id: `chatcmpl_${answers}`, object, created: 0, model: 'scripted' };
}

function offered({ function: { name, parameters } }: Json): OfferedTool {
  const args = Object.keys(parameters?.properties ?? {});
  return { name, args, required: parameters?.required ?? [], isFreeText: false };
}

function callOf({ id, name, input }: NonNullable<Answer['call']>): Json {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

async function writeText(answer: Answer, send: (delta: Json) => void, sink: Sink): Promise<boolean> {
  for (const content of piecesOf(answer.text, answer.pace)) {
    send({ content });
    sink.sent(content.length);
    if (!(await sink.beat(answer.pace))) return false;
  }
  return true;
}
