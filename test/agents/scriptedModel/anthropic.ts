import { type Answer, type Json, type ModelRequest, type Protocol, type Sink, textOfParts } from './Protocol.ts';
import { piecesOf } from './script.ts';

/** Anthropic Messages, with server-sent events. */
export const anthropic: Protocol = {
  asks: (path) => /\/messages(\?|$)/.test(path),

  other: (path) => (path.includes('/messages/count_tokens') ? { input_tokens: 100 } : null),

  read(_path, body): ModelRequest {
    const messages: Json[] = (body.messages ?? []).filter(({ role }: Json) => role !== 'system');
    const contents: Json[] = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const last = messages.at(-1);
    const parts: Json[] =
      typeof last?.content === 'string' ? [{ type: 'text', text: last.content }] : (last?.content ?? []);
    return {
      tools: (body.tools ?? []).map((tool: Json) => ({
        name: tool.name,
        args: Object.keys(tool.input_schema?.properties ?? {}),
        required: tool.input_schema?.required ?? [],
        isFreeText: false,
      })),
      lastText: parts.map(({ text }) => text ?? '').join('\n'),
      results: contents
        .filter(({ type }) => type === 'tool_result')
        .map(({ tool_use_id, content }) => ({ id: tool_use_id, text: textOfParts(content) })),
      endsInResult: parts.some(({ type }) => type === 'tool_result'),
      schema: body.output_config?.format?.schema ?? body.output_format?.schema ?? null,
      isStream: body.stream === true,
    };
  },

  async write(answer, request, sink): Promise<void> {
    if (!request.isStream) return sink.json({ ...head(), content: whole(answer), stop_reason: stopReason(answer) });
    sink.event({ type: 'message_start', message: { ...head(), content: [], stop_reason: null } }, 'message_start');
    const blocks = new Blocks(sink);
    if (answer.thinking !== '') {
      blocks.start({ type: 'thinking', thinking: '', signature: '' });
      blocks.delta({ type: 'thinking_delta', thinking: answer.thinking });
      blocks.delta({ type: 'signature_delta', signature: 'c2NyaXB0ZWQ=' });
      blocks.stop();
    }
    if (answer.text !== '' && !(await writeText(answer, blocks, sink))) return;
    if (answer.call) {
      blocks.start({ type: 'tool_use', id: answer.call.id, name: answer.call.name, input: {} });
      blocks.delta({ type: 'input_json_delta', partial_json: JSON.stringify(answer.call.input) });
      blocks.stop();
    }
    const delta = { stop_reason: stopReason(answer), stop_sequence: null };
    sink.event({ type: 'message_delta', delta, usage: { output_tokens: 20 } }, 'message_delta');
    sink.event({ type: 'message_stop' }, 'message_stop');
  },
};

async function writeText(answer: Answer, blocks: Blocks, sink: Sink): Promise<boolean> {
  blocks.start({ type: 'text', text: '' });
  for (const text of piecesOf(answer.text, answer.pace)) {
    blocks.delta({ type: 'text_delta', text });
    sink.sent(text.length);
    if (!(await sink.beat(answer.pace))) return false;
  }
  blocks.stop();
  return true;
}

/** Sends the content blocks of one message with their indexes. */
class Blocks {
  readonly #sink: Sink;
  #index = -1;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  start(content_block: Json): void {
    this.#index += 1;
    this.#sink.event({ type: 'content_block_start', index: this.#index, content_block }, 'content_block_start');
  }

  delta(delta: Json): void {
    this.#sink.event({ type: 'content_block_delta', index: this.#index, delta }, 'content_block_delta');
  }

  stop(): void {
    this.#sink.event({ type: 'content_block_stop', index: this.#index }, 'content_block_stop');
  }
}

let messages = 0;

function head(): Json {
  messages += 1;
  const usage = { input_tokens: 100, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return { id: `msg_${messages}`, type: 'message', role: 'assistant', model: 'scripted', stop_sequence: null, usage };
}

function whole({ text, call }: Answer): Json[] {
  return [...(text ? [{ type: 'text', text }] : []), ...(call ? [{ type: 'tool_use', ...call }] : [])];
}

const stopReason = ({ call }: Answer) => (call ? 'tool_use' : 'end_turn');
