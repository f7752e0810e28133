import { z } from 'zod';
import type { Block } from '../../contract/block.ts';
import { ToolFault } from '../../contract/mcp.ts';
import { countLines, type LineBatch, type OutputView, outputLines } from '../../session/outside/OutsideOutput.ts';
import type { OutsideTerminal } from '../../session/outside/OutsideRecord.ts';
import { compilePattern } from '../../session/searchText.ts';
import { BlockRef, capped, MaxChars, splitRef } from '../inputs.ts';
import { defineTool, READS, type ToolAnswer } from '../Tool.ts';
import { compressLines } from './compressLines.ts';

const Range = z.strictObject({ from_line: z.int().min(0), to_line: z.int().min(0) });

const Input = z.strictObject({
  block_id: BlockRef,
  range: Range.optional(),
  ranges: z.array(Range).max(20).optional(),
  from_line: z.int().min(0).optional().describe('from 0; to_line belongs to it'),
  to_line: z.int().min(0).optional(),
  head: capped(1, 100_000).optional(),
  tail: capped(1, 100_000).optional(),
  grep: z.string().min(1).max(512).optional().describe('regular expression: only lines that match, with context'),
  grep_flags: z
    .string()
    .regex(/^[imsu]*$/)
    .default(''),
  context: capped(0, 20, 2),
  view: z.enum(['rendered', 'plain', 'raw_b64']).default('rendered'),
  compress: z.boolean().default(false).describe('fold what builds and tests repeat; says what it left out'),
  max_chars: MaxChars,
});
type Input = z.infer<typeof Input>;

export const blocksRead = defineTool({
  name: 'blocks_read',
  aliases: ['blocks.read'],
  title: 'Read output',
  description:
    'Parts of what a command printed: head, tail, from_line/to_line, several ranges, or grep (a regular expression) with context. Lines count from 0 in the chosen view: rendered (as the terminal showed it, progress bars collapsed), plain (all that was printed) or raw_b64. Reads only what it gives, however large the output. Default: its last lines. resume_line goes on.',
  hints: READS,
  profile: 'observe',
  scope: 'observe',
  input: Input,
  async run(input, { desk }) {
    const { terminalId, blockId } = splitRef(input.block_id);
    const terminal = desk.record.terminal(terminalId);
    const block = await desk.record.block(terminalId, blockId);
    const total = await countLines(terminal, block, input.view);
    const source = { terminal, block, total };
    const parts = input.grep === undefined ? await slices(source, input) : await matches(source, input, input.grep);
    return answer(source, input, parts);
  },
});

interface Source {
  terminal: OutsideTerminal;
  block: Block;
  total: number;
}

interface Part {
  from: number;
  lines: string[];
}

interface Parts {
  parts: Part[];
  /** Not all of what was asked for: the next line to ask for. */
  resumeLine: number | null;
  matchCount?: number;
}

/** [from, to) of lines that were asked for, in order. */
function wanted({ total }: Source, input: Input): { from: number; to: number }[] {
  const asked = [
    ...(input.ranges ?? []),
    ...(input.range ? [input.range] : []),
    ...(input.from_line === undefined && input.to_line === undefined
      ? []
      : [{ from_line: input.from_line ?? 0, to_line: input.to_line ?? total }]),
  ].map(({ from_line, to_line }) => ({ from: from_line, to: to_line + 1 }));
  if (input.head !== undefined) asked.push({ from: 0, to: input.head });
  if (input.tail !== undefined) asked.push({ from: total - input.tail, to: total });
  if (asked.length === 0) asked.push({ from: total - 100, to: total });
  return asked
    .map(({ from, to }) => ({ from: Math.max(0, from), to: Math.min(total, to) }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from);
}

async function slices(source: Source, input: Input): Promise<Parts> {
  const parts: Part[] = [];
  let room = input.max_chars;
  // the end of an output says most: where a tail does not fit, its first lines are left out
  const isTail = input.head === undefined && !input.range && !input.ranges && input.from_line === undefined;
  for (const { from, to } of wanted(source, input)) {
    const span = { view: input.view, from, to, maxChars: room };
    const part = isTail ? await readEnd(source, span) : keptStart({ from, lines: await readLines(source, span) }, room);
    room -= sizeOf(part.lines);
    if (part.lines.length > 0) parts.push(part);
    const reached = part.from + part.lines.length;
    if (!isTail && reached < to) return { parts, resumeLine: reached };
  }
  return { parts, resumeLine: null };
}

async function readLines(
  { terminal, block }: Source,
  { view, from, to, maxChars }: { view: OutputView; from: number; to: number; maxChars: number },
): Promise<string[]> {
  const lines: string[] = [];
  let chars = 0;
  for await (const batch of outputLines(terminal, block, { view, first: from })) {
    for (const line of batch.lines) {
      lines.push(line);
      chars += line.length + 1;
      if (from + lines.length >= to || chars > maxChars * 2) return lines;
    }
  }
  return lines;
}

/** The last lines of a span that fit. */
async function readEnd(
  { terminal, block }: Source,
  { view, from, to, maxChars }: { view: OutputView; from: number; to: number; maxChars: number },
): Promise<Part> {
  let held: Part = { from, lines: [] };
  for await (const batch of outputLines(terminal, block, { view, first: from })) {
    const lines = batch.lines.slice(0, Math.max(0, to - batch.n));
    if (lines.length === 0) break;
    held = keptEnd({ from: held.from, lines: [...held.lines, ...lines] }, maxChars);
  }
  return held;
}

async function matches(source: Source, input: Input, grep: string): Promise<Parts> {
  const pattern = compilePattern(grep, true, input.grep_flags);
  if (!pattern.ok) throw new ToolFault('BAD_REGEX', pattern.error, 'escape what is meant as it stands');
  const finder = new Finder(input.context);
  let room = input.max_chars;
  for await (const batch of outputLines(source.terminal, source.block, {
    view: input.view,
    first: input.from_line ?? 0,
  })) {
    const spans = pattern.match(batch.lines);
    if (spans === null)
      throw new ToolFault('REGEX_TIMEOUT', 'the expression takes too long on this output', 'make it simpler');
    room -= finder.take(
      batch,
      spans.map((found) => found !== null),
    );
    if (room < 0 || batch.n + batch.lines.length > (input.to_line ?? Number.POSITIVE_INFINITY)) break;
  }
  return cutToFit(finder, input.max_chars);
}

function cutToFit({ parts, matchCount }: Finder, maxChars: number): Parts {
  let room = maxChars;
  const kept: Part[] = [];
  for (const part of parts) {
    const own = keptStart(part, room);
    room -= sizeOf(own.lines);
    if (own.lines.length > 0) kept.push(own);
    if (own.lines.length < part.lines.length)
      return { parts: kept, matchCount, resumeLine: own.from + own.lines.length };
  }
  return { parts: kept, matchCount, resumeLine: null };
}

/** Gathers matching lines with those around them, each line once. */
class Finder {
  readonly parts: Part[] = [];
  readonly #context: number;
  matchCount = 0;
  /** The last lines before a match that may still come. */
  #before: string[] = [];
  #after = 0;

  constructor(context: number) {
    this.#context = context;
  }

  /** Characters that it kept. */
  take({ n, lines }: LineBatch, isMatch: readonly boolean[]): number {
    let chars = 0;
    for (const [at, line] of lines.entries()) {
      if (isMatch[at]) {
        this.matchCount += 1;
        chars += this.#keep(n + at, [...this.#before, line]);
        this.#before = [];
        this.#after = this.#context;
      } else if (this.#after > 0) {
        this.#after -= 1;
        chars += this.#keep(n + at, [line]);
      } else {
        this.#before.push(line);
        if (this.#before.length > this.#context) this.#before.shift();
      }
    }
    return chars;
  }

  #keep(last: number, lines: readonly string[]): number {
    const from = last - lines.length + 1;
    const open = this.parts.at(-1);
    if (open && open.from + open.lines.length === from) open.lines.push(...lines);
    else this.parts.push({ from, lines: [...lines] });
    return sizeOf(lines);
  }
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** A line that alone is more than there is room for is cut: something of it is better than nothing. */
function keptStart({ from, lines }: Part, room: number): Part {
  let chars = 0;
  const count = lines.findIndex((line) => {
    chars += line.length + 1;
    return chars > room;
  });
  if (count < 0) return { from, lines };
  const [first] = lines;
  if (count === 0 && first !== undefined && room > 100) return { from, lines: [`${first.slice(0, room - 1)}…`] };
  return { from, lines: lines.slice(0, count) };
}

function keptEnd({ from, lines }: Part, room: number): Part {
  let chars = 0;
  const last = lines.findLastIndex((line) => {
    chars += line.length + 1;
    return chars > room;
  });
  const first = last + 1;
  if (first < lines.length || lines.length === 0) return { from: from + first, lines: lines.slice(first) };
  return { from: from + last, lines: [`…${(lines[last] ?? '').slice(1 - room)}`] };
}

function answer(
  { block, total, terminal }: Source,
  input: Input,
  { parts, resumeLine, matchCount }: Parts,
): ToolAnswer {
  const given = parts.reduce((sum, { lines }) => sum + lines.length, 0);
  const ref = input.block_id;
  const folded =
    input.compress && input.view !== 'raw_b64'
      ? compressLines(parts.flatMap(({ from, lines }) => numbered(from, lines)))
      : null;
  return {
    facts: {
      block_id: ref,
      view: input.view,
      total_lines: total,
      total_bytes: block.outputBytes,
      complete: block.status !== 'running',
      parts: parts.map(({ from, lines }) => ({ from_line: from, to_line: from + lines.length - 1 })),
      ...(matchCount !== undefined && { matches: matchCount }),
      omitted: { lines: Math.max(0, total - given) },
      ...(resumeLine !== null && { resume_line: resumeLine }),
      ...(folded && { compressor: folded.how }),
      resource: `term://block/${ref}/output`,
      ...(input.view === 'raw_b64' && { data_b64: Buffer.from(joined(parts), 'latin1').toString('base64') }),
    },
    ...(input.view !== 'raw_b64' && {
      text: { text: { text: folded?.text ?? joined(parts), about: `pty ${terminal.id} · block ${block.id}` } },
    }),
  };
}

/** Several parts are told apart by their line numbers. */
function joined(parts: readonly Part[]): string {
  if (parts.length <= 1) return parts[0]?.lines.join('\n') ?? '';
  return parts
    .map(({ from, lines }) =>
      numbered(from, lines)
        .map(({ n, text }) => `${n}: ${text}`)
        .join('\n'),
    )
    .join('\n--\n');
}

function numbered(from: number, lines: readonly string[]): { n: number; text: string }[] {
  return lines.map((text, at) => ({ n: from + at, text }));
}
