import type { AgentState } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';

/** The agent has nothing more to say until somebody asks it. */
export const SETTLED: readonly AgentState[] = ['idle', 'needs_approval', 'needs_input', 'exited'];

/** Nothing more will come to it: the agent waits, or something follows. */
export function isDone(seen: ExtractedMessage, { messages, state }: Extraction): boolean {
  if (seen.isOpen) return false;
  return seen !== messages.at(-1) || SETTLED.includes(state);
}
