import type { Block } from '../../../contract/block.ts';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import type { BlockHit, Scanned, SearchEnd, SearchLine, SearchQuery } from '../../../contract/search.ts';
import { SLOW_PATTERN } from '../../../search/lines/searchText.ts';
import { refOf } from '../../protocol/inputs.ts';
import type { ToolAnswer, ToolCall } from '../../protocol/Tool.ts';
import { unreadableText } from '../../read/unreadable.ts';
import { aroundTold, cutAround, linesAround, type Match, type SearchWish } from './searchMatch.ts';

/** Time limit of one call over all of its pages; clients give up after 60 s. */
const MOST_MS = 20_000;
/** With less time left, another page is not worth it. */
const LEAST_MS = 200;
/** Maximum number of lines per hit. A page asks only for as many blocks as surely fit, so that no hit is dropped. */
const LINES_PER_HIT = 3;
/** Most unreadable files to name. */
const MAX_UNREADABLE = 10;

/** Searches all visible terminals, newest first; returns the most relevant lines of each block. */
export async function searchEverywhere(wish: SearchWish, call: ToolCall): Promise<ToolAnswer> {
  const { record } = call.desk;
  if (wish.pty_id !== undefined) record.terminal(wish.pty_id);
  if (wish.flags && !wish.regex)
    throw new ToolFault(
      'BAD_INPUT',
      'flags belong to an expression',
      'set regex too, or leave flags out: words match in any case',
    );
  const found: Match[] = [];
  let redactions = 0;
  const endMs = performance.now() + MOST_MS;
  const all = { endMs, without: record.unseen() };
  const notSearched: { block_id: string; lines?: readonly number[] }[] = [];
  const unreadable = new Set<string>();
  let page = await pageOf(wish, call, { ...all, room: wish.limit, cursor: wish.cursor });
  const scanned: { -readonly [Name in keyof Scanned]: number } = { blocks: 0, bytes: 0, redactions: 0 };
  for (;;) {
    for (const hit of page.hits) {
      const { matches, read, redacted } = await matchesOf(hit, wish.context, call);
      found.push(...fitting(matches, wish.limit - found.length));
      redactions += redacted;
      if (!page.end.scanned) add(scanned, read);
    }
    if (page.end.scanned) add(scanned, page.end.scanned);
    const { next } = page.end;
    for (const { terminalId, id, lines } of page.end.notSearched)
      notSearched.push({ block_id: refOf(terminalId, id), ...(lines && { lines }) });
    for (const fault of page.end.unread) unreadable.add(unreadableText(fault));
    const isOver = call.signal.aborted || endMs - performance.now() < LEAST_MS;
    if (next === null || found.length >= wish.limit || isOver) break;
    page = await pageOf(wish, call, { ...all, room: wish.limit - found.length, cursor: next });
  }
  const { next, indexing } = page.end;
  return {
    facts: {
      matches: found.map(({ facts }) => facts),
      truncated: next !== null || notSearched.length + unreadable.size > 0,
      ...{ scanned_blocks: scanned.blocks, scanned_bytes: scanned.bytes },
      ...(next !== null && { resume_cursor: next }),
      ...(notSearched.length > 0 && { not_searched: notSearched }), // blocks_search with block_id searches one block completely
      ...(unreadable.size > 0 && { unreadable: [...unreadable].slice(0, MAX_UNREADABLE) }),
      ...(indexing && { indexing }), // blocks not indexed yet are not found
    },
    told: { matches: found.map(({ told }) => told) },
    redactions: Math.max(redactions, scanned.redactions),
  };
}

/** If a block has more matches than fit, or more than are picked, they have `has_more`: a search in that block returns all. */
function fitting(matches: readonly Match[], room: number): readonly Match[] {
  if (matches.length <= room) return matches;
  return matches.slice(0, room).map(({ facts, told }) => ({ facts: { ...facts, has_more: true }, told }));
}

function add(sum: { -readonly [Name in keyof Scanned]: number }, more: Scanned): void {
  sum.blocks += more.blocks;
  sum.bytes += more.bytes;
  sum.redactions += more.redactions;
}

interface Page {
  hits: BlockHit[];
  end: SearchEnd;
}

/** Skips blocks that have become private since, so a page may be empty although more follow. */
async function pageOf(
  wish: SearchWish,
  { desk, signal }: ToolCall,
  { room, cursor, endMs, without }: { room: number; cursor: string | undefined; endMs: number; without: string[] },
): Promise<Page> {
  const query: SearchQuery = {
    query: wish.query,
    mode: wish.regex ? 'regex' : 'words',
    in: wish.scope === 'both' ? ['cmd', 'output'] : [wish.scope],
    limit: Math.ceil(room / LINES_PER_HIT),
    withoutSecrets: true,
    budgetMs: Math.max(0, endMs - performance.now()),
    without,
    ...(wish.regex && wish.flags !== undefined && { flags: wish.flags }),
    ...(wish.pty_id !== undefined && { terminalId: wish.pty_id }),
    ...(wish.since !== undefined && { sinceMs: wish.since }),
    ...(wish.until !== undefined && { untilMs: wish.until }),
    ...(cursor !== undefined && { cursor }),
  };
  const hits: BlockHit[] = [];
  for await (const event of desk.search.find(query, signal)) {
    if (event.type === 'hits')
      hits.push(
        ...event.hits.filter((hit) => hit.type === 'block').filter((hit) => desk.record.isSeen(hit.terminalId)),
      );
    else if (event.error !== null) throw wrong(event.error);
    else return { hits, end: event };
  }
  throw new Error('the search was cancelled');
}

async function matchesOf(
  hit: BlockHit,
  context: number,
  { desk }: ToolCall,
): Promise<{ matches: Match[]; read: Scanned; redacted: number }> {
  const { terminalId, id, cmd, cwd, exitCode, status } = hit;
  const terminal = desk.record.terminal(terminalId);
  const block: Block | null = await desk.record.block(terminalId, id).catch(() => null); // removed since the search
  const own = { block_id: refOf(terminalId, id), pty_id: terminalId };
  const facts = {
    ...{ ts: hit.atMs, exit_code: exitCode, status },
    ...(hit.hasMore && { has_more: true }),
    ...(hit.isMiddleUnread && { middle_not_searched: true }), // blocks_search with block_id searches all of it
  };
  const read = { blocks: 1, bytes: block?.outputBytes ?? 0, redactions: 0 };
  if (hit.lines.length === 0) {
    const col = hit.cmdSpans[0]?.start ?? 0;
    const told = { text: cutAround(cmd ?? '', col), cmd, cwd };
    return { matches: [{ facts: { ...own, in: 'cmd', col, ...facts }, told }], read, redacted: 0 };
  }
  const matches: Match[] = [];
  let redacted = 0;
  for (const line of hit.lines) {
    const around = block ? await linesAround(terminal, block, { n: line.n, context }) : NOTHING;
    const { before, after, redactions } = around;
    redacted += redactions;
    matches.push({
      facts: { ...own, line: line.n, col: columnOf(line), ...facts },
      told: { text: line.text, ...aroundTold({ before, after }), cmd, cwd },
    });
  }
  return { matches, read, redacted };
}

const NOTHING = { before: [], after: [], redactions: 0 };

function columnOf({ column, spans }: SearchLine): number {
  return column + (spans[0]?.start ?? 0);
}

function wrong(reason: string): ToolFault {
  return reason.startsWith(SLOW_PATTERN)
    ? new ToolFault('REGEX_TIMEOUT', reason, 'make it simpler, or search for words')
    : new ToolFault('BAD_REGEX', reason, 'escape what is meant as it stands, or leave regex out');
}
