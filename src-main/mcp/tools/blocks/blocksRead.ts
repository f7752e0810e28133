import { z } from 'zod';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import { measureOutput } from '../../../search/lines/outputLines.ts';
import { aboutRef, BlockRef, capped, MaxChars, splitRef } from '../../protocol/inputs.ts';
import { defineTool, READS } from '../../protocol/Tool.ts';
import type { LineSpan, Parts, Source } from './blockParts.ts';
import { grepParts } from './grepParts.ts';
import { partsAnswer } from './partsAnswer.ts';
import { readEnd, readSlices } from './readSlices.ts';

const Range = z.strictObject({ from_line: z.int().min(0), to_line: z.int().min(0) });

const Input = z.strictObject({
  block_id: BlockRef,
  range: Range.optional(),
  ranges: z.array(Range).max(20).optional(),
  from_line: z.int().min(0).optional().describe('from 0; to_line belongs to it'),
  to_line: z.int().min(0).optional(),
  from_col: z.int().min(0).optional(),
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

/**
 * Returns parts of a block. One range of lines is in `text`, in its own frame, with its position in `parts`; several ranges are in `parts` with a
 * text each, and no text appears twice. For raw_b64, the bytes are in `data_b64` in the same way.
 */
export const blocksRead = defineTool({
  name: 'blocks_read',
  aliases: ['blocks.read'],
  title: 'Read output',
  description:
    'Parts of what a command printed: head, tail, from_line/to_line, ranges, or grep (a regular expression) with context, in these lines or all. Lines count from 0 in the view: rendered (as shown, progress bars collapsed), plain (all that was printed) or raw_b64 (needs the scope raw). Default: its last lines. Go on with from_line: resume_line (and from_col: resume_col in a long line).',
  hints: READS,
  profile: 'observe',
  scope: 'observe',
  scopeFor: ({ view }) => (view === 'raw_b64' ? 'raw' : 'observe'),
  input: Input,
  about: ({ block_id, grep }) => aboutRef(block_id, grep === undefined ? 'output' : `output with /${grep}/`),
  async run(input, { desk, signal }) {
    const { terminalId, blockId } = splitRef(input.block_id);
    const terminal = desk.record.terminal(terminalId);
    const block = await desk.record.block(terminalId, blockId);
    checkColumn(input);
    const source = { terminal, block, view: input.view, size: await measureOutput(terminal, block, input.view) };
    const room = input.view === 'raw_b64' ? Math.floor((input.max_chars * 3) / 4) : input.max_chars; // base64 adds a third
    const asked = wanted(source, input);
    const { grep: query, grep_flags: flags, context } = input;
    const parts =
      query === undefined
        ? await slices(source, input, { asked, room })
        : await grepParts(source, together(asked), {
            desk,
            wish: { ...{ query, isRegex: true, flags, context, room }, signal },
          });
    const lost = await desk.record.lossOf(terminal, block);
    return partsAnswer(source, parts, { ref: input.block_id, isCompressed: input.compress, lost });
  },
});

function checkColumn({ from_line, from_col, grep }: Input): void {
  if (from_col === undefined || (from_line !== undefined && grep === undefined)) return;
  throw new ToolFault(
    'BAD_INPUT',
    'from_col is a column of from_line, and of nothing else',
    'give from_line too, and no grep',
  );
}

function slices(source: Source, input: Input, { asked, room }: { asked: LineSpan[]; room: number }): Promise<Parts> {
  const [only] = asked;
  if (only && isEnd(input)) return readEnd(source, only, room);
  return readSlices(source, asked, { room, fromCol: input.from_col ?? 0 });
}

/** Whether only the last lines are requested: if they do not fit, the first of them are left out. */
function isEnd({ head, range, ranges, from_line, to_line }: Input): boolean {
  return [head, range, ranges, from_line, to_line].every((one) => one === undefined);
}

/** The requested lines in order; for a search, by default all. */
function wanted({ size: { lines: total } }: Source, input: Input): LineSpan[] {
  const asked = [
    ...(input.ranges ?? []),
    ...(input.range ? [input.range] : []),
    ...(input.from_line === undefined && input.to_line === undefined
      ? []
      : [{ from_line: input.from_line ?? 0, to_line: input.to_line ?? total }]),
  ].map(({ from_line, to_line }) => ({ from: from_line, to: to_line + 1 }));
  if (input.head !== undefined) asked.push({ from: 0, to: input.head });
  if (input.tail !== undefined) asked.push({ from: total - input.tail, to: total });
  if (asked.length === 0) asked.push({ from: input.grep === undefined ? total - 100 : 0, to: total });
  return asked
    .map(({ from, to }) => ({ from: Math.max(0, from), to: Math.min(total, to) }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from);
}

/** Merges overlapping spans. */
function together(spans: readonly LineSpan[]): LineSpan[] {
  const merged: LineSpan[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) merged.splice(-1, 1, { from: last.from, to: Math.max(last.to, span.to) });
    else merged.push(span);
  }
  return merged;
}
