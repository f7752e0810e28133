import type { ExtractedMessage } from '../../contract/extractor.ts';

/**
 * The messages above a menu that covers the rows from `end` on. A prompt right above may go on below it, and a prompt is told whole
 * or not at all.
 */
export function uncut(messages: readonly ExtractedMessage[], end: number): ExtractedMessage[] {
  const last = messages.at(-1);
  const isCut = last !== undefined && last.toRow >= end && (last.kind === 'user' || last.kind === 'command');
  return isCut ? messages.slice(0, -1) : [...messages];
}
