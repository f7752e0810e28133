import type { Block } from '../../../contract/block.ts';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import { redactText } from '../../../redaction/redactText.ts';
import { measureOutput } from '../../../search/lines/outputLines.ts';
import { type LinePattern, matchLines } from '../../../search/lines/searchText.ts';
import { splitRef } from '../../protocol/inputs.ts';
import type { ToolAnswer, ToolCall } from '../../protocol/Tool.ts';
import { patternOf, type ScannedFor, scanFor } from '../../read/scanFor.ts';
import { unreadableText } from '../../read/unreadable.ts';
import { aroundTold, cutAround, cutLong, type Match, type SearchWish } from './searchMatch.ts';

/** `l<line>`: the next line to search. */
const CURSOR = /^l(\d{1,15})$/;

/** Finds every matching line of one block, from the cursor. */
export async function searchBlock(wish: SearchWish, ref: string, { desk, signal }: ToolCall): Promise<ToolAnswer> {
  const { terminalId, blockId } = splitRef(ref);
  const terminal = desk.record.terminal(terminalId);
  const block = await desk.record.block(terminalId, blockId);
  const pattern = patternOf(wish.query, wish.regex, wish.flags);
  const first = lineOf(wish.cursor);
  const found = new Matches(block, ref, wish);
  const isIn = block.startedMs >= (wish.since ?? 0) && block.startedMs <= (wish.until ?? Number.POSITIVE_INFINITY);
  if (isIn && wish.cursor === undefined && wish.scope !== 'output') found.takeCommand(pattern);
  if (isIn && wish.scope !== 'cmd') {
    const source = {
      terminal,
      block,
      view: 'rendered',
      size: await measureOutput(terminal, block, 'rendered'),
    } as const;
    const { query, regex: isRegex, flags, context } = wish;
    const spans = [{ from: first, to: Math.max(first, source.size.lines) }];
    const maxMatches = wish.limit - found.matches.length;
    found.take(await scanFor(desk, source, { wish: { query, isRegex, flags, context, spans, maxMatches }, signal }));
  }
  const { matches, scanned } = found;
  const next = scanned?.next ?? null;
  const lost = scanned && (await desk.record.lossOf(terminal, block));
  return {
    facts: {
      matches: matches.map(({ facts }) => facts),
      truncated: next !== null || lost !== null,
      ...{ scanned_blocks: isIn ? 1 : 0, scanned_bytes: scanned?.bytes ?? 0 },
      ...(next !== null && { resume_cursor: `l${next}` }),
      ...(scanned && scanned.notSearched.length > 0 && { not_searched: scanned.notSearched }),
      ...(lost && { unreadable: [unreadableText(lost)] }),
    },
    told: { matches: matches.map(({ told }) => told) },
    redactions: found.redactions,
  };
}

function lineOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, line] = CURSOR.exec(cursor) ?? [];
  if (line !== undefined) return Number(line);
  throw new ToolFault(
    'BAD_INPUT',
    'that cursor is not of a search in one block',
    'give the resume_cursor of that search',
  );
}

class Matches {
  readonly matches: Match[] = [];
  readonly #block: Block;
  readonly #ref: string;
  readonly #wish: SearchWish;
  scanned: ScannedFor | null = null;
  /** Number of secrets in all searched lines, so that the number reveals nothing about matches. */
  redactions = 0;

  constructor(block: Block, ref: string, wish: SearchWish) {
    this.#block = block;
    this.#ref = ref;
    this.#wish = wish;
  }

  takeCommand(pattern: LinePattern): void {
    const { text, redactions } = redactText(this.#block.cmd ?? '');
    this.redactions += redactions;
    const lines = text.split('\n');
    const { spans } = matchLines(pattern, lines);
    const at = spans.findIndex((own) => own !== null);
    if (at < 0) return;
    const col = spans[at]?.[0]?.start ?? 0;
    this.#add({ in: 'cmd', col }, { text: cutAround(lines[at] ?? '', col) });
  }

  take(scanned: ScannedFor): void {
    this.scanned = scanned;
    this.redactions += scanned.redactions;
    const { context } = this.#wish;
    const { lines } = scanned;
    for (const [at, { n, text, spans }] of lines.entries()) {
      if (!spans) continue;
      const near = lines.slice(Math.max(0, at - context), at + context + 1);
      const col = spans[0]?.start ?? 0;
      this.#add(
        { line: n, col },
        {
          text: cutAround(text, col),
          ...aroundTold({
            before: near.filter((one) => one.n < n && one.n >= n - context).map((one) => cutLong(one.text)),
            after: near.filter((one) => one.n > n && one.n <= n + context).map((one) => cutLong(one.text)),
          }),
        },
      );
    }
  }

  #add(place: { in?: string; line?: number; col: number }, lines: Match['told']): void {
    const { startedMs: ts, cmd } = this.#block;
    this.matches.push({ facts: { block_id: this.#ref, ...place, ts }, told: { ...lines, cmd } });
  }
}
