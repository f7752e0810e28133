import type { AgentState } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';

/** States in which the agent writes nothing more without input. */
export const SETTLED: readonly AgentState[] = ['idle', 'needs_approval', 'needs_input', 'exited'];

/** Whether a message is complete: another one follows it, or the agent waits. */
export function isDone(seen: ExtractedMessage, { messages, state }: Extraction): boolean {
  if (seen.isOpen) return false;
  return seen !== messages.at(-1) || SETTLED.includes(state);
}
