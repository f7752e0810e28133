import type { ChatMessage } from './chat.ts';

/** The text to show first: the agent log's if it differs, because the screen may have lacked room. */
export function leadText({ kind, text, log }: Pick<ChatMessage, 'kind' | 'text' | 'log'>): string {
  return (kind === 'user' || kind === 'model') && log?.text !== undefined ? log.text : text;
}

/** Whether `leadText` differs from the screen's text. */
export function isFromLog(message: Pick<ChatMessage, 'kind' | 'text' | 'log'>): boolean {
  return leadText(message) !== message.text;
}

const REASONS = {
  joined: 'may be incomplete: put together from screens that do not prove their order',
  repeated: 'may be a repetition: drawn again by the agent',
  frame: 'may be incomplete: parts of the agent’s frame are in it',
  unasked: 'may be incomplete: what was asked before was not seen',
  unfinished: 'may be incomplete: its end was not seen',
  shortened: 'may be incomplete: more of it was typed',
  unformatted: 'may be formatted otherwise: its code was drawn as prose',
  redrawn: 'may be wrong: the agent drew it otherwise later',
  foreign: 'may be another program’s: the agent had ended',
  contradicted: 'may be wrong: the agent’s own log has another text',
  unlogged: 'may be wrong: the agent’s own log does not have it',
  unanswered: 'may be incomplete: no answer to it was seen',
} as const;

/** Why the shown text may be incomplete, for people. Null: no doubt, or the text comes from the agent's own log. */
export function doubtWords(
  message: Pick<ChatMessage, 'kind' | 'text' | 'log' | 'doubtful' | 'hasGap' | 'replayOf'>,
): string | null {
  if (message.replayOf !== undefined) return 'from an earlier conversation: drawn again when it was resumed';
  if (isFromLog(message)) return null;
  if (message.doubtful) return REASONS[message.doubtful.reason];
  return message.hasGap ? 'incomplete: lines were never drawn' : null;
}
