import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { LogMessage } from './LogMessage.ts';
import { bareText } from './sameText.ts';

/** A prompt is drawn and logged within moments; one that was queued while the agent worked may take longer, and tells nothing then. */
const SAME_MOMENT_MS = 15_000;

/**
 * Which of several logs is this conversation's: the one that has its prompts at their times. -1 when none has, or two have
 * equally many: two agents in one folder that were told the same at the same time are not guessed apart.
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
