import type { ChatMessage } from '../contract/chat/chat.ts';
import { leadText } from '../contract/chat/leadText.ts';
import { ATTRIBUTE } from './genAi.ts';

/** Limit of one text. Many backends cut an attribute at 64 KiB or less, and a turn has several texts. */
export const MOST_TEXT_CHARS = 16_000;
/** Limit of all texts of one attribute together. */
export const MOST_ATTRIBUTE_CHARS = 256_000;

type Part = { type: 'text'; content: string } | { type: 'tool_call'; id: string; name: string; arguments: string };

/** Returns the prompt and the agent's messages as JSON strings, as the conventions describe. `messages` must be redacted. */
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

/** Returns the arguments and the result of a tool. Both are texts from the screen, '' if it showed nothing. */
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

/** Leaves out the first parts if there is no room for all, because the last ones hold the answer. A part says that others are missing. */
function inBounds(parts: readonly Part[]): Part[] {
  let room = MOST_ATTRIBUTE_CHARS;
  const from = parts.findLastIndex((part) => {
    room -= part.type === 'text' ? part.content.length : part.arguments.length + part.name.length;
    return room < 0;
  });
  if (from < 0) return [...parts];
  return [{ type: 'text', content: `[${from + 1} parts left out]` }, ...parts.slice(from + 1)];
}

/** Cuts a redacted text, so that a cut never hides the beginning of a secret. It never cuts a surrogate pair. */
function shortened(long: string): string {
  if (long.length <= MOST_TEXT_CHARS) return long;
  const end = /[\ud800-\udbff]/.test(long.charAt(MOST_TEXT_CHARS - 1)) ? MOST_TEXT_CHARS - 1 : MOST_TEXT_CHARS;
  return `${long.slice(0, end)}\n[${long.length - end} characters left out]`;
}
