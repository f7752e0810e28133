import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { LogMessage } from './LogMessage.ts';
import { bareText } from './sameText.ts';

/** A prompt is drawn and logged within this time, ms. A prompt that was queued while the agent worked may take longer; it then proves nothing. */
const SAME_MOMENT_MS = 15_000;

/**
 * Returns the index of the conversation's log: the log that has its prompts at their times. -1 if no log has any, or if two have equally
 * many: two agents in one folder with the same prompts at the same times cannot be distinguished.
 */
export function chooseLog(conversation: readonly ChatMessage[], logs: readonly (readonly LogMessage[])[]): number {
  const typed = conversation.filter(({ kind, final }) => final && (kind === 'user' || kind === 'command'));
  const counts = logs.map((log) => typed.filter((message) => hasPrompt(log, message)).length);
  const most = Math.max(0, ...counts);
  return most > 0 && counts.filter((count) => count === most).length === 1 ? counts.indexOf(most) : -1;
}

function hasPrompt(log: readonly LogMessage[], { text, startedMs }: ChatMessage): boolean {
  const wanted = bareText(text);
  return log.some(
    ({ kind, text: logged, atMs }) =>
      (kind === 'user' || kind === 'command') &&
      atMs !== null &&
      Math.abs(atMs - startedMs) <= SAME_MOMENT_MS &&
      bareText(logged) === wanted,
  );
}
