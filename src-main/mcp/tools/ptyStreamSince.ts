import { z } from 'zod';
import { ToolFault } from '../../contract/mcp.ts';
import { PlainText } from '../../session/outside/PlainText.ts';
import { compilePattern } from '../../session/searchText.ts';
import { MaxChars, PtyId, refOf, WaitMs } from '../inputs.ts';
import { defineTool, type ToolCall, WAITS } from '../Tool.ts';
import { wholeEnd } from './wholeEnd.ts';

/** How much of the record one call looks through for a match. */
const MAX_LOOK_BYTES = 1024 * 1024;
const POLL_MS = 50;

/** `<epoch of nothing, offsets never shift>`: an offset in output.raw, as a string so that nobody counts with it. */
const Cursor = z.string().regex(/^o\d{1,15}$/, 'a cursor is what an earlier answer gave');

export const ptyStreamSince = defineTool({
  name: 'pty_stream_since',
  aliases: ['pty.stream.since'],
  title: 'Follow output',
  description:
    'Output of a terminal as clean text since a cursor: without control sequences, in order, nothing twice. Without cursor it begins at the end (cursor_only gives just that place). wait_ms waits for something new; search stops behind the first match, and its resume_cursor stands right there. marks name the blocks that began and ended in it.',
  hints: WAITS,
  profile: 'standard',
  scope: 'observe',
  isWait: ({ wait_ms }) => wait_ms > 0,
  input: z.strictObject({
    pty_id: PtyId,
    cursor: Cursor.optional(),
    max_chars: MaxChars,
    search: z.string().min(1).max(512).optional(),
    search_flags: z
      .string()
      .regex(/^[imsu]*$/)
      .default(''),
    wait_ms: WaitMs,
    cursor_only: z.boolean().default(false),
    block_marks: z.boolean().default(true),
  }),
  async run(input, call) {
    const { size } = await call.desk.record.raw(input.pty_id, 0, 0);
    const from = input.cursor === undefined ? size : Number(input.cursor.slice(1));
    const isReset = from > size; // of another terminal, or the record was made anew
    if (input.cursor_only)
      return { facts: { cursor: `o${size}`, resume_cursor: `o${size}`, reset: isReset, at_end: true } };
    const start = isReset ? size : from;
    const found = await readOn(start, input, call);
    const marks = input.block_marks ? await marksOf(input.pty_id, { from: start, to: found.end }, call) : [];
    return {
      facts: {
        pty_id: input.pty_id,
        cursor: `o${start}`,
        resume_cursor: `o${found.end}`,
        reset: isReset,
        at_end: found.end >= found.size,
        ...(found.match && { match: { line: found.match.line } }),
        ...(marks.length > 0 && { marks }),
      },
      ...(found.match && { told: { match: { text: found.match.text } } }),
      text: { text: { text: found.text, about: `pty ${input.pty_id}` } },
    };
  },
});

interface Wish {
  pty_id: string;
  max_chars: number;
  search?: string | undefined;
  search_flags: string;
  wait_ms: number;
}

interface ReadOn {
  text: string;
  end: number;
  size: number;
  match: { text: string; line: number } | null;
}

async function readOn(from: number, wish: Wish, { desk, signal }: ToolCall): Promise<ReadOn> {
  const endMs = performance.now() + wish.wait_ms;
  const pattern = wish.search === undefined ? null : compilePattern(wish.search, true, wish.search_flags);
  if (pattern && !pattern.ok) throw new ToolFault('BAD_REGEX', pattern.error, 'escape what is meant as it stands');
  for (;;) {
    const read = await desk.record.raw(wish.pty_id, from, pattern ? MAX_LOOK_BYTES : bytesFor(wish.max_chars));
    const isMore = from + read.bytes.length < read.size;
    const own = read.bytes.subarray(0, wholeEnd(read.bytes, 'escape'));
    const text = plain(own);
    const match = pattern ? firstMatch(text, pattern.match) : null;
    if (match) {
      const upTo = endOfMatch(own, text.slice(0, match.end));
      return { text: tail(plain(own.subarray(0, upTo)), wish.max_chars), end: from + upTo, size: read.size, match };
    }
    const isOver = performance.now() >= endMs || signal.aborted;
    const hasEnough = pattern === null && text.trim() !== '';
    if (hasEnough || isMore || isOver)
      return { ...fitted(own, text, wish.max_chars, from), size: read.size, match: null };
    await desk.record.grown(wish.pty_id, read.size, {
      waitMs: Math.min(POLL_MS * 20, endMs - performance.now()),
      signal,
    });
  }
}

/** Control sequences come on top of the text. */
function bytesFor(chars: number): number {
  return Math.min(MAX_LOOK_BYTES, chars * 4 + 4096);
}

function plain(bytes: Uint8Array): string {
  const text = new PlainText();
  return text.feed(bytes) + text.end();
}

/** As much as fits; where it does not, the page ends earlier, and nothing between two pages is lost. */
function fitted(own: Uint8Array, text: string, maxChars: number, from: number): { text: string; end: number } {
  if (text.length <= maxChars) return { text, end: from + own.length };
  const upTo = endOfMatch(own, text.slice(0, maxChars));
  return { text: plain(own.subarray(0, upTo)), end: from + upTo };
}

/** The fewest bytes whose text is (at least) `text`: by halving, since sequences in between have no length in the text. */
function endOfMatch(own: Uint8Array, text: string): number {
  let low = 0;
  let high = own.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (plain(own.subarray(0, middle)).length >= text.length) high = middle;
    else low = middle + 1;
  }
  return low;
}

function firstMatch(
  text: string,
  match: (lines: readonly string[]) => ({ start: number; end: number }[] | null)[] | null,
): { text: string; line: number; end: number } | null {
  const lines = text.split('\n');
  const spans = match(lines);
  if (spans === null) throw new ToolFault('REGEX_TIMEOUT', 'the expression takes too long', 'make it simpler');
  let at = 0;
  for (const [line, own] of lines.entries()) {
    const span = spans[line]?.[0];
    if (span) return { text: own.slice(span.start, span.end), line, end: at + span.end };
    at += own.length + 1;
  }
  return null;
}

function tail(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(-maxChars);
}

async function marksOf(
  terminalId: string,
  { from, to }: { from: number; to: number },
  { desk }: ToolCall,
): Promise<object[]> {
  const marks: { offset: number; kind: string; block_id: string; exit_code?: number | null }[] = [];
  if (to === from) return marks;
  for await (const block of desk.record.newestFirst(desk.record.terminal(terminalId))) {
    const ref = refOf(terminalId, block.id);
    const { rawStart, rawEnd, exitCode } = block;
    if (rawEnd !== null && rawEnd >= from && rawEnd <= to)
      marks.push({ offset: rawEnd, kind: 'block_end', block_id: ref, exit_code: exitCode });
    if (rawStart >= from && rawStart <= to) marks.push({ offset: rawStart, kind: 'block_begin', block_id: ref });
    if ((rawEnd ?? to) < from) break;
  }
  return marks.sort((a, b) => a.offset - b.offset);
}
