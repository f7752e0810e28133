import { z } from 'zod';
import type { CommandLines } from '../../../contract/screen/screen.ts';
import { RedactedStretch } from '../../../redaction/redactedStretch.ts';
import type { LinePattern } from '../../../search/lines/searchText.ts';
import { withGapsMarked } from '../../../store/record/readGaps.ts';
import { MaxChars, PtyId, refOf, WaitMs } from '../../protocol/inputs.ts';
import { defineTool, type ToolCall, WAITS } from '../../protocol/Tool.ts';
import { renderedText } from '../../read/renderedText.ts';
import { patternOf } from '../../read/scanFor.ts';
import { wholeEnd } from '../blocks/wholeEnd.ts';
import { firstMatch, type Range, rangesInText } from './shellLines.ts';

/** How much of the record one call searches for a match. */
const MAX_LOOK_BYTES = 1024 * 1024;
const POLL_MS = 50;
const LF = 0x0a;
/** Bytes examined before a page, in case it begins within a key: 256 lines of 64 characters, and their control sequences. */
const BYTES_BEFORE = 32 * 1024;
/** Bytes examined after a page, in case it ends within a token. */
const BYTES_AFTER = 8 * 1024;

/** An offset in output.raw (offsets never shift, so it needs no epoch), as a string so that clients do not calculate with it. */
const Cursor = z.string().regex(/^o\d{1,15}$/, 'a cursor is what an earlier answer gave');

export const ptyStreamSince = defineTool({
  name: 'pty_stream_since',
  aliases: ['pty.stream.since'],
  title: 'Follow output',
  description:
    'Output of a terminal as clean text since a cursor: no control sequences, in order, nothing twice. Without cursor it begins at the end (cursor_only gives just that place). wait_ms waits for something new; search stops behind the first match, where its resume_cursor stands, and leaves out prompts and command lines (command_lines: unknown where no shell hook reports them); match.immediate: it stood there when asked. marks: blocks that began and ended in it.',
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
  about: ({ pty_id, search }) => ({
    terminalId: pty_id,
    what: search === undefined ? 'output' : `output with /${search}/`,
  }),
  async run(input, call) {
    const { size } = await call.desk.record.raw(input.pty_id, 0, 0);
    const from = input.cursor === undefined ? size : Number(input.cursor.slice(1));
    const isReset = from > size; // the cursor is of another terminal, or the record was recreated
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
        ...(found.dropped > 0 && { dropped: { bytes: found.dropped } }),
        ...(found.match && { match: { line: found.match.line, immediate: found.isImmediate } }),
        ...(found.commandLines && { command_lines: found.commandLines }),
        ...(marks.length > 0 && { marks }),
      },
      ...(found.match && { told: { match: { text: found.match.text } } }),
      text: { text: { text: found.text, about: `pty ${input.pty_id}` } },
      redactions: found.redactions,
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

interface Page {
  text: string;
  end: number;
  match: { text: string; line: number } | null;
  /** Bytes skipped between the cursor and the start of the text, because their text does not fit. */
  dropped: number;
  redactions: number;
}

interface ReadOn extends Page {
  readonly size: number;
  /** The match was there before the wait began. */
  readonly isImmediate: boolean;
  /** For a search. */
  readonly commandLines: CommandLines | null;
}

async function readOn(from: number, wish: Wish, { desk, signal }: ToolCall): Promise<ReadOn> {
  const endMs = performance.now() + wish.wait_ms;
  const pattern = wish.search === undefined ? null : patternOf(wish.search, true, wish.search_flags);
  const start = Math.max(0, from - BYTES_BEFORE);
  const before = renderedText((await desk.record.raw(wish.pty_id, start, from - start)).bytes);
  for (let isFirst = true; ; isFirst = false) {
    const most = pattern ? MAX_LOOK_BYTES : bytesFor(wish.max_chars);
    const read = await desk.record.raw(wish.pty_id, from, most + BYTES_AFTER);
    const isMore = from + most < read.size;
    const bytes = withGapsMarked(read.bytes, from, read.gap ? [read.gap] : []);
    const page = new StreamPage(bytes, { most, from, before, maxChars: wish.max_chars });
    const shell = pattern ? await desk.record.shellRanges(wish.pty_id, page.span) : null;
    const found = pattern ? page.upToMatch(pattern, shell ?? []) : null;
    const about = {
      size: read.size,
      isImmediate: isFirst,
      commandLines: pattern && (shell ? ('excluded' as const) : ('unknown' as const)),
    };
    if (found) return { ...found, ...about };
    const isOver = performance.now() >= endMs || signal.aborted;
    const hasEnough = pattern === null && page.text.trim() !== '';
    if (hasEnough || isMore || isOver) return { ...page.fitted(), ...about };
    await desk.record.grown(wish.pty_id, read.size, {
      waitMs: Math.min(POLL_MS * 20, endMs - performance.now()),
      signal,
    });
  }
}

/** Output from a cursor as clean text, and the end of its page. */
class StreamPage {
  readonly text: string;
  readonly #own: Uint8Array;
  readonly #from: number;
  readonly #maxChars: number;
  readonly #stretch: RedactedStretch;

  /** Only the first `most` of `bytes` may be returned; the rest is only examined for secrets. */
  constructor(bytes: Uint8Array, spec: { most: number; from: number; before: string; maxChars: number }) {
    const told = bytes.subarray(0, spec.most);
    this.#own = told.subarray(0, wholeEnd(told, 'escape'));
    this.#from = spec.from;
    this.#maxChars = spec.maxChars;
    this.text = renderedText(this.#own);
    const after = renderedText(bytes.subarray(this.#own.length));
    this.#stretch = new RedactedStretch(this.text, { before: spec.before, after });
  }

  /** Its byte range in output.raw. */
  get span(): { from: number; to: number } {
    return { from: this.#from, to: this.#from + this.#own.length };
  }

  /** As much as fits; otherwise the page ends earlier, so nothing is lost between two pages. */
  fitted(): Page {
    const isAll = this.text.length <= this.#maxChars;
    const upTo = isAll ? this.#own.length : pageEnd(this.#own, this.#maxChars);
    const length = isAll ? this.text.length : renderedText(this.#own.subarray(0, upTo)).length;
    return { ...this.#stretch.told(0, length), end: this.#from + upTo, match: null, dropped: 0 };
  }

  /** Null without a match. If the text up to the match does not fit, its end is returned. */
  upToMatch(pattern: LinePattern, shell: readonly Range[]): Page | null {
    const ranges = shell.map(([from, to]) => [from - this.#from, to - this.#from] as const);
    const match = firstMatch(this.#stretch.blanked, pattern, rangesInText(this.#own, ranges));
    if (!match) return null;
    const upTo = bytesOfText(this.#own, match.end);
    const start = Math.max(0, match.end - this.#maxChars);
    return {
      ...this.#stretch.told(start, match.end),
      end: this.#from + upTo,
      match: {
        text: this.#stretch.told(match.start, match.end).text,
        line: this.text.slice(start, Math.max(start, match.start)).split('\n').length - 1,
      },
      dropped: start === 0 ? 0 : bytesOfText(this.#own, start),
    };
  }
}

/** Control sequences need extra bytes in addition to the text. */
function bytesFor(chars: number): number {
  return Math.min(MAX_LOOK_BYTES, chars * 4 + 4096);
}

/**
 * The fewest bytes that print at least `chars` characters. A line with overprints is certain only at its end, so the result then includes
 * the whole line.
 */
function bytesOfText(own: Uint8Array, chars: number): number {
  const ends = lineEnds(own);
  const whole = ends[lastFitting(ends, (end) => renderedText(own.subarray(0, end)).length < chars)] ?? 0;
  const lineEnd = ends.find((end) => end > whole) ?? own.length;
  if (isPrintedOver(own.subarray(whole, lineEnd))) return lineEnd;
  let [low, high] = [whole, lineEnd];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (renderedText(own.subarray(0, middle)).length >= chars) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The end of a page of `chars` characters. It is a line end, because later bytes of a line may overprint it; only a line that is too long is cut. */
function pageEnd(own: Uint8Array, chars: number): number {
  const ends = lineEnds(own);
  return (
    ends[lastFitting(ends, (end) => renderedText(own.subarray(0, end)).length <= chars)] ?? bytesOfText(own, chars)
  );
}

/** Offsets after each line feed. */
function lineEnds(own: Uint8Array): number[] {
  const ends: number[] = [];
  for (let at = own.indexOf(LF); at >= 0; at = own.indexOf(LF, at + 1)) ends.push(at + 1);
  return ends;
}

/** Index of the last value that fits, or -1. Values that fit come before those that do not. */
function lastFitting(ends: readonly number[], fits: (end: number) => boolean): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(ends[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Whether a control sequence in the line moves the cursor or erases. */
function isPrintedOver(line: Uint8Array): boolean {
  return /[\b]|\r(?!\r*\n|$)|\x1b\[[\d;]*[A-HJKPX@`]/.test(Buffer.from(line).toString('latin1'));
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
