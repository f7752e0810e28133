import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';

/**
 * The messages above what covers or has not drawn the rest of the screen yet. A prompt that stands last may go on below, and a
 * prompt is told whole or not at all.
 */
export function uncut(messages: readonly ExtractedMessage[]): ExtractedMessage[] {
  const kind = messages.at(-1)?.kind;
  return kind === 'user' || kind === 'command' ? messages.slice(0, -1) : [...messages];
}
