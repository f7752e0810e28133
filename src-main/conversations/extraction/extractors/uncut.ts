import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';

/**
 * The messages above something that covers the rest of the screen, or above rows that are not drawn yet. A prompt at the end may continue
 * below, and a prompt is reported only whole.
 */
export function uncut(messages: readonly ExtractedMessage[]): ExtractedMessage[] {
  const kind = messages.at(-1)?.kind;
  return kind === 'user' || kind === 'command' ? messages.slice(0, -1) : [...messages];
}
