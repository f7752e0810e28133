import type { Tokens } from 'marked';
import type { MarkdownBlock } from './MarkdownReader.ts';

/** Below the headings of the page, the conversation and the speaker. */
const FIRST_LEVEL = 4;
const LAST_LEVEL = 6;

/**
 * The level of each heading block, null for others. No level is skipped, whatever depths the message uses: a reader who moves from heading to heading
 * would look for the missing one.
 */
export function headingLevels(blocks: readonly MarkdownBlock[]): (number | null)[] {
  const open: number[] = [];
  return blocks.map((block) => {
    if (block.type !== 'heading') return null;
    const { depth } = block as Tokens.Heading;
    while ((open.at(-1) ?? 0) >= depth) open.pop();
    open.push(depth);
    return Math.min(LAST_LEVEL, FIRST_LEVEL + open.length - 1);
  });
}
