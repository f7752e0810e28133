import type { Answer, Json, ModelRequest, Protocol, Sink } from './Protocol.ts';
import { piecesOf } from './script.ts';

/** Gemini's `generateContent` and `streamGenerateContent`. */
export const gemini: Protocol = {
  asks: (path) => /:(streamGenerateContent|generateContent)(\?|$)/.test(path),

  other: (path) => (path.includes(':countTokens') ? { totalTokens: 100 } : null),

  read(path, body): ModelRequest {
    const contents: Json[] = body.contents ?? [];
    const parts: Json[] = contents.flatMap((content) => content.parts ?? []);
    const last: Json[] = contents.at(-1)?.role === 'model' ? [] : (contents.at(-1)?.parts ?? []);
    const declarations: Json[] = (body.tools ?? []).flatMap((tool: Json) => tool.functionDeclarations ?? []);
    const { responseSchema, responseJsonSchema } = body.generationConfig ?? {};
    return {
      tools: declarations.map(({ name, parameters, parametersJsonSchema }) => ({
        name,
        args: Object.keys((parametersJsonSchema ?? parameters)?.properties ?? {}),
        required: (parametersJsonSchema ?? parameters)?.required ?? [],
        isFreeText: false,
      })),
      lastText: last.map(({ text }) => text ?? '').join('\n'),
      results: parts.flatMap(({ functionResponse }) =>
        functionResponse ? [{ id: functionResponse.id, text: textOfResponse(functionResponse.response) }] : [],
      ),
      endsInResult: last.some(({ functionResponse }) => functionResponse),
      schema: responseJsonSchema ?? responseSchema ?? null,
      isStream: path.includes(':streamGenerateContent'),
    };
  },

  async write(answer, request, sink): Promise<void> {
    const call = answer.call && {
      functionCall: { id: answer.call.id, name: answer.call.name, args: answer.call.input },
    };
    if (!request.isStream) {
      const parts = [...(answer.text ? [{ text: answer.text }] : []), ...(call ? [call] : [])];
      return sink.json(chunk(parts, 'STOP'));
    }
    if (answer.thinking !== '') sink.event(chunk([{ text: answer.thinking, thought: true }]));
    if (!(await writeText(answer, sink))) return;
    sink.event(chunk(call ? [call] : [{ text: '' }], 'STOP'));
  },
};

function textOfResponse(response: Json): string {
  const text = response?.output ?? response?.error;
  return typeof text === 'string' ? text : JSON.stringify(response ?? null);
}

async function writeText(answer: Answer, sink: Sink): Promise<boolean> {
  for (const text of piecesOf(answer.text, answer.pace)) {
    sink.event(chunk([{ text }]));
    sink.sent(text.length);
    if (!(await sink.beat(answer.pace))) return false;
  }
  return true;
}

function chunk(parts: Json[], finishReason?: string): Json {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: 'scripted',
  };
}
