import type { ChatMessage } from '../contract/chat/chat.ts';
import { leadText } from '../contract/chat/leadText.ts';
import { ATTRIBUTE } from './genAi.ts';

/** Of one text. Many backends cut an attribute at 64 KiB or less; a turn has several texts. */
export const MOST_TEXT_CHARS = 16_000;
/** Of all texts of one attribute. */
export const MOST_ATTRIBUTE_CHARS = 256_000;

type Part = { type: 'text'; content: string } | { type: 'tool_call'; id: string; name: string; arguments: string };

/** The prompt and what the agent said, as the JSON strings that the conventions describe. `messages` are redacted. */
export function contentOfTurn(messages: readonly ChatMessage[], hasFailed: boolean): Record<string, string> {
  const asked = messages.filter(({ kind }) => kind === 'user');
  const parts = inBounds(messages.filter(({ kind }) => kind === 'model' || kind === 'toolCall').map(partOf));
  const input = asked.map((message) => ({ role: 'user', parts: [text(message)] }));
  const output = [{ role: 'assistant', parts, finish_reason: hasFailed ? 'error' : 'stop' }];
  return {
    ...(input.length > 0 && { [ATTRIBUTE.input]: JSON.stringify(input) }),
    ...(parts.length > 0 && { [ATTRIBUTE.output]: JSON.stringify(output) }),
  };
}

/** What a tool was given and what it gave. Both are texts from the screen, '' where it showed nothing. */
export function contentOfTool(call: ChatMessage, result: string): Record<string, string> {
  const given = call.tool?.input ?? '';
  return {
    ...(given !== '' && { [ATTRIBUTE.toolArguments]: shortened(given) }),
    ...(result !== '' && { [ATTRIBUTE.toolResult]: shortened(result) }),
  };
}

function partOf(message: ChatMessage): Part {
  if (message.kind !== 'toolCall') return text(message);
  const { name = '', input = '' } = message.tool ?? {};
  return { type: 'tool_call', id: message.id, name, arguments: shortened(input) };
}

function text(message: ChatMessage): Part {
  return { type: 'text', content: shortened(leadText(message)) };
}

/** The last parts hold the answer: where all have no room, the first are left out, and a part says so. */
function inBounds(parts: readonly Part[]): Part[] {
  let room = MOST_ATTRIBUTE_CHARS;
  const from = parts.findLastIndex((part) => {
    room -= part.type === 'text' ? part.content.length : part.arguments.length + part.name.length;
    return room < 0;
  });
  if (from < 0) return [...parts];
  return [{ type: 'text', content: `[${from + 1} parts left out]` }, ...parts.slice(from + 1)];
}

/** After redaction, so that a cut never hides a secret's beginning. Never cuts a pair of surrogates. */
function shortened(long: string): string {
  if (long.length <= MOST_TEXT_CHARS) return long;
  const end = /[\ud800-\udbff]/.test(long.charAt(MOST_TEXT_CHARS - 1)) ? MOST_TEXT_CHARS - 1 : MOST_TEXT_CHARS;
  return `${long.slice(0, end)}\n[${long.length - end} characters left out]`;
}
