import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { LogMessage } from './LogMessage.ts';
import { type ComparedText, comparedText, isPartOf, isSameText, likeness } from './sameText.ts';

/** A unit of comparison: a message, or a tool's call with its result. */
export interface ChatUnit {
  readonly message: ChatMessage;
  readonly result: ChatMessage | null;
  readonly text: ComparedText;
}

export interface LogUnit {
  readonly message: LogMessage;
  /** For a tool, its subject. */
  readonly text: ComparedText;
  /** For a tool, its whole input. */
  readonly input: ComparedText;
}

const COMPARED = new Set<ChatMessage['kind']>(['user', 'model', 'command', 'toolCall']);

/** The messages that a second source may have, in order. */
export function chatUnits(messages: readonly ChatMessage[]): ChatUnit[] {
  return messages.flatMap((message, at) => {
    if (!COMPARED.has(message.kind)) return [];
    const shown = message.kind === 'toolCall' ? (message.tool?.input ?? '') : message.text;
    return [{ message, result: resultOf(messages, at), text: comparedText(shown) }];
  });
}

/** The first result after a call; a permission prompt may be between them. */
function resultOf(messages: readonly ChatMessage[], call: number): ChatMessage | null {
  if (messages[call]?.kind !== 'toolCall') return null;
  for (let at = call + 1; at < messages.length; at += 1) {
    const message = messages[at] as ChatMessage;
    if (message.kind === 'toolResult') return message;
    if (message.kind !== 'permission' && message.kind !== 'notice') break;
  }
  return null;
}

export function logUnits(messages: readonly LogMessage[]): LogUnit[] {
  return messages.map((message) => ({
    message,
    text: comparedText(message.tool?.subject ?? message.text),
    input: comparedText(message.tool?.input ?? ''),
  }));
}

/** More than any likeness of a pair. */
const SAME = 100;
const LIKE = 40;
/** Two texts with less in common are not one message that was read badly. */
const MIN_LIKENESS = 0.5;
/** A call whose input the screen folds away may be any call in its place. */
const FOLDED_TOOL = 20;

/** Worth of taking both for one message; 0 if they cannot be one. Among equals, the nearer in time wins. */
export function worthOf(chat: ChatUnit, log: LogUnit): number {
  const worth = log.message.kind === 'tool' ? toolWorth(chat, log) : textWorth(chat, log);
  if (worth === 0 || log.message.atMs === null) return worth;
  return worth + 1 / (1 + Math.abs(chat.message.startedMs - log.message.atMs) / 1000);
}

function textWorth(chat: ChatUnit, { message, text }: LogUnit): number {
  const { kind } = chat.message;
  const isTyped = kind === 'user' || kind === 'command';
  if (kind === 'toolCall' || isTyped !== (message.kind !== 'model')) return 0;
  if (isSameText(chat.text, text)) return SAME;
  const common = likeness(chat.text, text);
  return common >= MIN_LIKENESS ? LIKE * common : 0;
}

function toolWorth(chat: ChatUnit, log: LogUnit): number {
  const { kind, tool } = chat.message;
  if (kind !== 'toolCall') return 0;
  if (tool?.input === undefined) return FOLDED_TOOL;
  if (isSameCall(chat, log)) return SAME;
  return isPartOf(chat.text, log.input) || likeness(chat.text, log.input) >= MIN_LIKENESS ? LIKE : 0;
}

/** Whether the call shows the tool's subject or its whole input. A path may be relative to another folder. */
export function isSameCall(chat: ChatUnit, log: LogUnit): boolean {
  if (chat.message.tool?.input === undefined) return false;
  const shown = chat.text.parts[0] ?? '';
  const isPath = /^[\w./~-]+$/.test(shown) && (log.text.parts[0] ?? '').endsWith(`/${shown}`);
  return isSameText(chat.text, log.text) || isSameText(chat.text, log.input) || isPath;
}
