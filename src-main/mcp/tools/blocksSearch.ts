import { z } from 'zod';
import { ToolFault } from '../../contract/mcp.ts';
import type { BlockHit, SearchLine, SearchQuery } from '../../contract/search.ts';
import { compilePattern, SLOW_PATTERN } from '../../session/searchText.ts';
import { BlockRef, capped, PtyId, refOf, splitRef } from '../inputs.ts';
import { defineTool, READS, type ToolAnswer, type ToolCall } from '../Tool.ts';

const MAX_LINE_CHARS = 400;

const Input = z.strictObject({
  query: z.string().min(1).max(512),
  regex: z.boolean().default(false),
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .optional(),
  block_id: BlockRef.optional(),
  pty_id: PtyId.optional(),
  scope: z.enum(['cmd', 'output', 'both']).default('both'),
  since: z.number().optional().describe('ms since 1970'),
  until: z.number().optional(),
  limit: capped(1, 100, 20),
  context: capped(0, 5, 1),
  cursor: z.string().max(300).optional(),
});
type Input = z.infer<typeof Input>;

export const blocksSearch = defineTool({
  name: 'blocks_search',
  aliases: ['blocks.search'],
  title: 'Search commands and output',
  description:
    'Finds text in every command and output ever recorded here, newest first: words (all of them must occur, whatever their case) or with regex an expression for one line. Narrow it by pty_id, scope, since and until. In one block_id it gives every matching line. Each match has its line, so blocks_read can show what is around it.',
  hints: READS,
  profile: 'observe',
  scope: 'observe',
  input: Input,
  run: (input, call) => (input.block_id === undefined ? everywhere(input, call) : inBlock(input, input.block_id, call)),
});

async function everywhere(input: Input, { desk, signal }: ToolCall): Promise<ToolAnswer> {
  const query: SearchQuery = {
    query: input.query,
    mode: input.regex ? 'regex' : 'words',
    in: input.scope === 'both' ? ['cmd', 'output'] : [input.scope],
    limit: input.limit,
    ...(input.pty_id !== undefined && { terminalId: input.pty_id }),
    ...(input.since !== undefined && { sinceMs: input.since }),
    ...(input.until !== undefined && { untilMs: input.until }),
    ...(input.cursor !== undefined && { cursor: input.cursor }),
  };
  const isSeen = ({ terminalId }: BlockHit): boolean => desk.record.isSeen(terminalId);
  const hits: BlockHit[] = [];
  let next: string | null = null;
  let reason: string | null = null;
  for await (const event of desk.search.find(query, signal)) {
    if (event.type === 'hits') hits.push(...event.hits.filter((hit) => hit.type === 'block').filter(isSeen));
    if (event.type === 'end') ({ next, error: reason } = event);
  }
  if (reason !== null) throw wrong(reason);
  return {
    facts: {
      matches: hits.map((hit) => ({
        block_id: refOf(hit.terminalId, hit.id),
        pty_id: hit.terminalId,
        ts: hit.atMs,
        exit_code: hit.exitCode,
        status: hit.status,
        lines: hit.lines.map(({ n }) => ({ line: n })),
        has_more: hit.hasMore,
      })),
      truncated: next !== null,
      ...(next !== null && { resume_cursor: next }),
    },
    told: { matches: hits.map(({ cmd, cwd, lines }) => ({ cmd, cwd, lines: lines.map(({ text }) => ({ text })) })) },
  };
}

async function inBlock(input: Input, ref: string, { desk }: ToolCall): Promise<ToolAnswer> {
  const { terminalId, blockId } = splitRef(ref);
  const terminal = desk.record.terminal(terminalId);
  const block = await desk.record.block(terminalId, blockId);
  const pattern = compilePattern(input.query, input.regex, input.flags);
  if (!pattern.ok) throw wrong(pattern.error);
  const found: SearchLine[] = [];
  let scanned = 0;
  let isTruncated = false;
  for await (const { n, lines } of desk.lines(terminal, block)) {
    const spans = pattern.match(lines);
    if (spans === null) throw wrong(SLOW_PATTERN);
    for (const [at, own] of spans.entries()) {
      const text = lines[at] ?? '';
      if (own) found.push({ n: n + at, text: text.slice(0, MAX_LINE_CHARS), column: own[0]?.start ?? 0, spans: own });
    }
    scanned += lines.length;
    isTruncated = found.length > input.limit;
    if (isTruncated) break;
  }
  found.length = Math.min(found.length, input.limit);
  return {
    facts: {
      matches: found.map(({ n, column }) => ({ block_id: ref, line: n, col: column })),
      truncated: isTruncated,
      scanned_lines: scanned,
      ts_begin: block.startedMs,
    },
    told: { cmd: block.cmd, matches: found.map(({ text }) => ({ text })) },
  };
}

function wrong(reason: string): ToolFault {
  return reason === SLOW_PATTERN
    ? new ToolFault('REGEX_TIMEOUT', reason, 'make it simpler, or search for words')
    : new ToolFault('BAD_REGEX', reason, 'escape what is meant as it stands, or leave regex out');
}
