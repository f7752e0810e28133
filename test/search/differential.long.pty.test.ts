import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import { type SearchEnd, type SearchHit, SearchQuery } from '../../src-main/contract/search.ts';
import type { Tool, ToolCall } from '../../src-main/mcp/protocol/Tool.ts';
import { blocksRead } from '../../src-main/mcp/tools/blocks/blocksRead.ts';
import { blocksSearch } from '../../src-main/mcp/tools/blocks/blocksSearch.ts';
import { redactedLines } from '../../src-main/redaction/redactedLines.ts';
import { scanOutput } from '../../src-main/search/scanOutput.ts';
import { compressFile } from '../../src-main/store/archive/compressFile.ts';
import { streamOut } from '../../src-main/store/record/readRecord.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { runCli } from '../cli/runCli.ts';
import { fuzzSeed } from '../support/fuzzRuns.ts';
import { begin, runCommand, TestCore, until } from '../support/TestCore.ts';

/**
 * Compares every way to search with a reference that tries each line of the whole text. The hits must be equal, or the answer must name
 * the parts that were not searched.
 */
const seed = fuzzSeed();
const WORDS = ['error', 'Error', 'harbour', 'kelp', 'ERROR', 'tide', 'über', 'naïve', 'ſlow', 'part-7'];
const line = fc.oneof(
  fc.tuple(fc.constantFrom(...WORDS), fc.nat(9999), fc.constantFrom(...WORDS)).map((all) => all.join(' ')),
  fc.nat(100).map((n) => `10%\r50%\r${n}% of the tide`),
  fc.constantFrom(
    '\x1b[31mred error\x1b[0m 7',
    'abc\b\b\bxyz',
    '日本語 harbour 😀',
    '\ttabbed\tkelp',
    '',
    'ends in CR LF\r',
  ),
  fc.constantFrom('export API_KEY=a1b2c3d4e5f6', 'password: hunter2secret', `${'ghp_'}${'a1B2'.repeat(9)}`),
  fc.nat(9).map((n) => `${'long '.repeat(900)}end-${n}`),
);
const QUERIES: readonly (readonly [query: string, isRegex: boolean])[] = [
  ...['error', 'über', '日本語 harbour', 'hunter2', 'end-3', 'slow', '% of the'].map((text) => [text, false] as const),
  ...['^\\d+% of', '(?:red|日本).*[7😀]', '^$', 'h[a-z]+2', '[A-Z]{5} \\d{4}'].map((text) => [text, true] as const),
];

interface Recorded {
  readonly block: Block;
  readonly lines: readonly string[];
}

let started: TestCore;
const recorded: Recorded[] = [];
const open: string[] = [];

async function textLines(block: Block): Promise<string[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of streamOut(new SessionFolder(started.dataFolder, block.terminalId), block.id))
    pieces.push(piece);
  const lines = Buffer.concat(pieces).toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

beforeAll(async () => {
  started = await TestCore.start();
  const sizes = [30, 300, 900, 100];
  const files = sizes.map((count, at) => {
    const path = `text-${at}`;
    const lines = fc.sample(line, { seed: seed + at, numRuns: count });
    started.write(path, `${lines.join('\n')}\n`);
    return `cat ${started.home}/${path}`;
  });
  for (const isClosed of [true, false]) {
    const terminal = await started.open();
    const blocks: Block[] = [];
    for (const cmd of files.slice(0, isClosed ? 3 : 2)) blocks.push(await runCommand(terminal, cmd));
    if (isClosed) {
      await started.core.close(terminal.id, true);
      const folder = new SessionFolder(started.dataFolder, terminal.id);
      for (const { id } of blocks) await compressFile(folder.out(id), {});
    } else {
      await begin(terminal, `${files[3]}; printf 'the last word\\n'; read -r`);
      await until(terminal, ({ view }) => view.runningBlockId !== null);
      const running = await terminal.book.get(terminal.book.runningId ?? '');
      if (!running) throw new Error('nothing runs');
      await vi.waitFor(async () => expect((await textLines(running)).at(-1)).toBe('the last word'), 15_000);
      blocks.push(running);
      open.push(terminal.id);
    }
    for (const block of blocks) recorded.push({ block, lines: await textLines(block) });
  }
}, 60_000);
afterAll(() => started?.dispose());

/** The expression of a query; case matters when the query has capitals, also in an expression. */
function expressionOf([query, isRegex]: (typeof QUERIES)[number]): RegExp {
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(source, /[A-Z]/.test(query) ? 'u' : 'iu');
}

function matchesIn(lines: readonly string[], expression: RegExp): number[] {
  return lines.flatMap((text, n) => (expression.test(text) ? [n] : []));
}

const refOf = ({ terminalId, id }: { terminalId: string; id: string }): string => `${terminalId}.${id}`;
const told = new Map<Block, readonly string[]>();
function redactedOf({ block, lines }: Recorded): readonly string[] {
  const known = told.get(block) ?? redactedLines(lines).lines;
  told.set(block, known);
  return known;
}

// biome-ignore lint/suspicious/noExplicitAny: a tool's facts are what they are
async function callTool(tool: Tool, input: object): Promise<any> {
  const call = { desk: started.core.outside, signal: new AbortController().signal } as unknown as ToolCall;
  const answer = await tool.run(tool.input.parse(input), call);
  if (!('facts' in answer)) throw new Error('the tool asks');
  return { ...answer.facts, told: answer.told, text: answer.text };
}

/** Reads all pages of a search everywhere. */
async function everywhere(query: object): Promise<{ hits: SearchHit[]; named: string[] }> {
  const all: SearchHit[] = [];
  const named: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    let end: SearchEnd | undefined;
    const asked = SearchQuery.parse({ in: ['output'], ...query, ...(cursor && { cursor }) });
    for await (const event of started.core.search.find(asked))
      if (event.type === 'end') end = event;
      else all.push(...event.hits);
    if (!end || end.error !== null) throw new Error(end?.error ?? 'no end');
    named.push(...end.notSearched.map(refOf));
    cursor = end.next;
  }
  return { hits: all, named };
}

test.each(QUERIES)(
  '%j (an expression: %j) is found in each block, by the window and by outside clients',
  async (...query) => {
    const expression = expressionOf(query);
    const [text, isRegex] = query;
    for (const { block, lines } of recorded) {
      const { terminalId, id: blockId } = block;
      const own = matchesIn(lines, expression);
      if (open.includes(terminalId)) {
        const { search } = started.core.terminal(terminalId).book;
        const found = await search.find({ query: text, regex: isRegex, limit: 100_000, blockId });
        expect([found.error, [...new Set(found.hits.map(({ n }) => n))]]).toEqual([null, own]);
      }
      const shown = matchesIn(redactedOf({ block, lines }), expression);
      const seen: number[] = [];
      const args = { block_id: refOf(block), query: text, regex: isRegex, flags: expression.flags, scope: 'output' };
      for (let cursor: string | undefined | null; cursor !== null; ) {
        const page = await callTool(blocksSearch, { ...args, limit: 100, context: 0, ...(cursor && { cursor }) });
        seen.push(...page.matches.map((match: { line: number }) => match.line));
        const isOver = page.resume_cursor === undefined;
        expect([page.truncated, page.not_searched === undefined]).toEqual([!isOver, isOver]);
        cursor = page.resume_cursor ?? null;
      }
      expect(seen).toEqual(shown);
    }
  },
);

test.each(QUERIES)(
  '%j (an expression: %j) names every block with a match once, whatever the page and the time',
  async (...query) => {
    const expression = expressionOf(query);
    const [text, isRegex] = query;
    const own = new Map(recorded.map(({ block, lines }) => [refOf(block), matchesIn(lines, expression)]));
    const expected = [...own].filter(([, lines]) => lines.length > 0).map(([ref]) => ref);
    const mode = isRegex ? 'regex' : 'exact';
    for (const more of [{ limit: 500 }, { limit: 1 }, { limit: 2, budgetMs: 1 }]) {
      const { hits, named } = await everywhere({ query: text, mode, flags: expression.flags, ...more });
      const refs = hits.map(refOf);
      expect(new Set(refs).size).toBe(refs.length);
      expect([...new Set([...refs, ...named.filter((ref) => expected.includes(ref))])].sort()).toEqual(
        expected.toSorted(),
      );
      for (const hit of hits) {
        const lines = own.get(refOf(hit)) ?? [];
        expect(hit.lines.map(({ n }) => n)).toEqual(lines.slice(0, 3));
        expect(hit.hasMore).toBe(lines.length > 3);
      }
    }
  },
);

test.each(QUERIES)('grep for %j (an expression: %j) gives each line once, page by page', async (...query) => {
  const expression = expressionOf(query);
  for (const one of recorded) {
    const lines = redactedOf(one);
    const args = { block_id: refOf(one.block), grep: expression.source, grep_flags: expression.flags, context: 0 };
    let matches = 0;
    const at: number[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const page = await callTool(blocksRead, { ...args, from_line: from, max_chars: 20_000 });
      expect(page.not_searched ?? []).toEqual(page.resume_line === undefined ? [] : expect.anything());
      matches += page.matches;
      for (const part of page.told?.parts ?? page.parts)
        for (let n = part.from_line; n <= part.to_line; n += 1) at.push(n);
      from = page.resume_line ?? null;
    }
    const own = matchesIn(lines, expression);
    expect([matches, at]).toEqual([own.length, own]);
  }
});

test('a search that is out of time gives what it has and where to go on, and misses nothing', async () => {
  const { block, lines } = recorded.toSorted((a, b) => b.lines.length - a.lines.length)[0] as Recorded;
  const common = { dataFolder: started.dataFolder, terminalId: block.terminalId, block, view: 'rendered' as const };
  const found: number[] = [];
  let calls = 0;
  for (let from: number | null = 0; from !== null; calls += 1) {
    const scan = {
      ...common,
      query: 'e',
      isRegex: true,
      spans: [{ from, to: lines.length }],
      context: 0,
      deadlineMs: 0,
    };
    const scanned = await scanOutput(scan, new AbortController().signal);
    found.push(...scanned.lines.map(({ n }) => n));
    from = scanned.next;
  }
  expect(calls).toBeGreaterThan(1);
  expect(found).toEqual(matchesIn(redactedOf({ block, lines }), /e/iu));
});

test('the command line finds the same blocks without a core', async () => {
  await started.core.stop();
  for (const query of QUERIES.filter(([text]) => ['日本語 harbour', '[A-Z]{5} \\d{4}'].includes(text))) {
    const mode = query[1] ? '--regex' : '--exact';
    const args = ['search', mode, query[0], '--in', 'output', '--json', '-n', '500'];
    const { stdout } = await runCli(args, { home: started.dataFolder });
    const refs = (JSON.parse(stdout) as { hits: SearchHit[] }).hits.map(refOf);
    const own = recorded.filter(({ lines }) => matchesIn(lines, expressionOf(query)).length > 0);
    expect(refs.toSorted()).toEqual(own.map(({ block }) => refOf(block)).toSorted());
  }
});
