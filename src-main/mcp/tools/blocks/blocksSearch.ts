import { z } from 'zod';
import { aboutRef, BlockRef, capped, PtyId } from '../../protocol/inputs.ts';
import { SinceWhen, sinceMs } from '../../protocol/sinceWhen.ts';
import { defineTool, READS } from '../../protocol/Tool.ts';
import { searchBlock } from './searchBlock.ts';
import { searchEverywhere } from './searchEverywhere.ts';
import { aroundTold, type Match } from './searchMatch.ts';

const Input = z.strictObject({
  query: z.string().min(1).max(512),
  regex: z.boolean().default(false),
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .optional(),
  block_id: BlockRef.optional(),
  pty_id: z.optional(PtyId),
  scope: z.enum(['cmd', 'output', 'both']).default('both'),
  since: SinceWhen.optional(),
  until: SinceWhen.optional(),
  limit: capped(1, 100, 20),
  context: capped(0, 5, 1),
  cursor: z.string().max(5000).optional(),
  max_chars: capped(200, 100_000, 6_000),
});

export const blocksSearch = defineTool({
  name: 'blocks_search',
  aliases: ['blocks.search'],
  title: 'Search commands and output',
  description:
    'Finds text in every command and output, of each host newest first: words (all must occur, in any case) or with regex an expression for one line. Narrow it by pty_id, scope, since, until. In one block_id: every line with the text as it stands; search so where a match has has_more or middle_not_searched.',
  hints: READS,
  profile: 'observe',
  scope: 'observe',
  input: Input,
  about: ({ pty_id = null, block_id, query }) =>
    block_id === undefined ? { terminalId: pty_id, what: query } : aboutRef(block_id, query),
  everywhere: {
    list: ({ pty_id, block_id }) => ((pty_id ?? block_id) === undefined ? 'matches' : null),
    timeoutMs: 25_000, // it reads outputs for 20 s at most
    about: ({ indexing, not_searched }) => ({
      ...(indexing !== undefined && { indexing }),
      ...(not_searched !== undefined && { not_searched }),
    }),
  },
  inputAliases: { search: 'query', resume_cursor: 'cursor' },
  async run(input, call) {
    const nowMs = call.desk.nowMs();
    const wish = { ...input, since: sinceMs(input.since, nowMs), until: sinceMs(input.until, nowMs) };
    const found = await (input.block_id === undefined
      ? searchEverywhere(wish, call)
      : searchBlock(wish, input.block_id, call));
    return { ...found, told: { matches: withShortLines(found.told?.matches as Match['told'][], input.max_chars) } };
  },
});

/** A match begins within the first 60 characters of its line in the answer (`cutAround`). */
const LEAST_LINE_CHARS = 120;

/** Cuts lines instead of leaving out matches, because a client could not request the missing ones. */
function withShortLines(matches: readonly Match['told'][], maxChars: number): Match['told'][] {
  const linesOf = ({ text, before = [], after = [] }: Match['told']) => [text, ...before, ...after];
  const chars = matches.flatMap(linesOf).reduce((sum, { length }) => sum + length, 0);
  if (chars <= maxChars) return [...matches];
  const most = Math.max(LEAST_LINE_CHARS, Math.floor(maxChars / matches.flatMap(linesOf).length));
  const cut = (line: string): string => (line.length <= most ? line : `${line.slice(0, most)}…`);
  return matches.map(({ text, before, after, ...told }) => ({
    ...{ text: cut(text), ...told },
    ...aroundTold({ before: (before ?? []).map(cut), after: (after ?? []).map(cut) }),
  }));
}
