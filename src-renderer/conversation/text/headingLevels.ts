import type { Tokens } from 'marked';
import type { MarkdownBlock } from './MarkdownReader.ts';

/** Behind the page's, the conversation's and the speaker's headings. */
const FIRST_LEVEL = 4;
const LAST_LEVEL = 6;

/**
 * The level of each block that is a heading, null for others. Whatever depths a message uses, no level is left out: a reader who goes from heading to
 * heading would look for the missing one.
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
