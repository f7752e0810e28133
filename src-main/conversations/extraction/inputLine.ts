import type { Extraction } from '../../contract/chat/extractor.ts';

/**
 * Text in the agent's input line: '' if the line is empty, undefined if the screen shows no input line. The `!` that turns the line into a shell's is
 * part of the text, because what follows it would run as a command.
 */
export function inputLine({ draft, isShell }: Pick<Extraction, 'draft' | 'isShell'>): string | undefined {
  return isShell === true && draft !== undefined ? `!${draft}` : draft;
}
