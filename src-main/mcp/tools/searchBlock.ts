import type { Block } from '../../contract/block.ts';
import { ToolFault } from '../../contract/mcp.ts';
import { measureOutput } from '../../session/outside/OutsideOutput.ts';
import { withoutSecrets } from '../../session/outside/RedactingLines.ts';
import { patternOf, ScanBudget, type ScannedBatch, scanLines } from '../../session/outside/scanLines.ts';
import { toldLines } from '../../session/outside/toldLines.ts';
import type { LineMatcher } from '../../session/searchText.ts';
import { splitRef } from '../inputs.ts';
import type { ToolAnswer, ToolCall } from '../Tool.ts';
import { cutAround, cutLong, type Match, type SearchWish } from './searchMatch.ts';

/** `l<line>`: the next line to look at. */
const CURSOR = /^l(\d{1,15})$/;

/** Every line of one block that matches, from the cursor's on. */
export async function searchBlock(wish: SearchWish, ref: string, { desk, signal }: ToolCall): Promise<ToolAnswer> {
  const { terminalId, blockId } = splitRef(ref);
  const terminal = desk.record.terminal(terminalId);
  const block = await desk.record.block(terminalId, blockId);
  const matcher = patternOf(wish.query, wish.regex, wish.flags);
  const first = lineOf(wish.cursor);
  const budget = new ScanBudget(signal);
  const found = new Matches(block, ref, wish);
  const isIn = block.startedMs >= (wish.since ?? 0) && block.startedMs <= (wish.until ?? Number.POSITIVE_INFINITY);
  if (isIn && wish.cursor === undefined && wish.scope !== 'output') found.takeCommand(matcher);
  if (isIn && wish.scope !== 'cmd') {
    const { lines: total } = await measureOutput(terminal, block, 'rendered');
    const lines = toldLines(terminal, block, { view: 'rendered', first });
    for await (const scanned of scanLines(lines, matcher, { budget, total })) if (!found.take(scanned)) break;
  }
  const { matches, next } = found;
  return {
    facts: {
      matches: matches.map(({ facts }) => facts),
      truncated: next !== null,
      ...{ scanned_blocks: isIn ? 1 : 0, scanned_bytes: found.bytes },
      ...(next !== null && { resume_cursor: `l${next}` }),
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
  /** Those whose lines behind them are still to come. */
  readonly #open: string[][] = [];
  readonly #before: string[] = [];
  next: number | null = null;
  bytes = 0;
  /** In all that was looked through: the number says nothing of what was looked for. */
  redactions = 0;

  constructor(block: Block, ref: string, wish: SearchWish) {
    this.#block = block;
    this.#ref = ref;
    this.#wish = wish;
  }

  takeCommand(matcher: LineMatcher): void {
    const { text, redactions } = withoutSecrets(this.#block.cmd ?? '');
    this.redactions += redactions;
    const lines = text.split('\n');
    const at = matcher(lines)?.findIndex((spans) => spans !== null) ?? -1;
    if (at < 0) return;
    const line = lines[at] ?? '';
    const col = matcher([line])?.[0]?.[0]?.start ?? 0;
    this.#add({ in: 'cmd', col }, { text: cutAround(line, col), before: [], after: [] });
  }

  /** False when there is no more to find. */
  take({ batch, spans }: ScannedBatch): boolean {
    this.redactions += batch.redactions;
    for (const [at, line] of batch.lines.entries()) {
      const col = spans[at]?.[0]?.start;
      this.#follow(line);
      if (col !== undefined && this.matches.length === this.#wish.limit) this.next = batch.n + at;
      if (this.next !== null) return false;
      this.bytes += batch.bytesOf(at);
      if (col !== undefined) {
        const after: string[] = [];
        this.#add(
          { line: batch.n + at, col },
          { text: cutAround(line, col), before: this.#before.map(cutLong), after },
        );
        if (this.#wish.context > 0) this.#open.push(after);
      }
      this.#before.push(line);
      if (this.#before.length > this.#wish.context) this.#before.shift();
    }
    return true;
  }

  #follow(line: string): void {
    for (const after of this.#open) after.push(cutLong(line));
    while ((this.#open[0]?.length ?? 0) >= this.#wish.context && this.#open.length > 0) this.#open.shift();
  }

  #add(
    place: { in?: string; line?: number; col: number },
    lines: Pick<Match['told'], 'text' | 'before' | 'after'>,
  ): void {
    const { startedMs: ts, cmd } = this.#block;
    this.matches.push({ facts: { block_id: this.#ref, ...place, ts }, told: { ...lines, cmd } });
  }
}
