import * as z from 'zod/mini';
import { BlockId, TerminalId } from './ids.ts';
import type { ImageSlice } from './image.ts';

export const BlockStatus = z.enum(['running', 'completed', 'interrupted', 'superseded', 'unknown_end']);
export type BlockStatus = z.infer<typeof BlockStatus>;

/** How the end of a block is known. Absent while it runs. */
export const EndedBy = z.enum(['mark', 'superseded', 'prompt', 'shell-exit', 'recovery']);
export type EndedBy = z.infer<typeof EndedBy>;

/** Where the command's text comes from; `hook` and `typed` are exact, `screen` was read from the cells, `cmdline` was claimed by foreign marks. */
export const TextSource = z.enum(['hook', 'cmdline', 'screen', 'typed']);
export type TextSource = z.infer<typeof TextSource>;

/**
 * `command`: between BEGIN and END. `background`: output while no command ran and no prompt was being drawn.
 * `session`: everything a shell without integration ever printed, one honest card.
 */
export const BlockKind = z.enum(['command', 'background', 'session']);
export type BlockKind = z.infer<typeof BlockKind>;

const COUNT = z.int().check(z.nonnegative());

/**
 * One shell command and its output. One line of blocks.jsonl when it begins, again when it ends or changes; the later line wins.
 * Offsets are bytes in output.raw; times are milliseconds since 1970 UTC (people), durations come from a monotonic clock.
 */
export const Block = z.object({
  id: BlockId,
  terminalId: TerminalId,
  /** Order within the terminal, from 1, over all restarts. Never reused, never re-ordered by clock. */
  seq: COUNT,
  kind: z._default(BlockKind, 'command'),
  status: BlockStatus,
  /** Exact, or null when it is not known. */
  cmd: z.nullable(z.string()),
  /** What an outside client had sent, where the shell ran another text (an abbreviation, a history expansion). */
  cmdRequested: z.optional(z.string()),
  textSource: z._default(z.nullable(TextSource), null),
  cwd: z.nullable(z.string()),
  gitBranch: z.optional(z.string()),
  /** `user`, or `agent:<client>`. */
  actor: z._default(z.string(), 'user'),
  startedMs: z.number(),
  endedMs: z._default(z.nullable(z.number()), null),
  durationMs: z._default(z.nullable(z.number()), null),
  exitCode: z._default(z.nullable(z.int()), null),
  /** Name such as SIGINT, where the shell's own process was ended by one or the exit code says so. */
  signal: z.optional(z.string()),
  endedBy: z._default(z.nullable(EndedBy), null),
  /** Begin and end were vouched for by the hook's nonce. */
  trusted: z.boolean(),
  outputBytes: z._default(COUNT, 0),
  /** Logical lines in the block's `.out`. */
  outputLines: z._default(COUNT, 0),
  usedAltScreen: z._default(z.boolean(), false),
  /** The cursor was addressed beyond its own line, by an image too, so the text is the screen as rendered and not the stream of lines. */
  addressed: z._default(z.boolean(), false),
  /** Images that its rendered lines show. Left out where there are none. */
  images: z.optional(z.int().check(z.positive())),
  /** Columns of the screen when it began: how far a cursor movement could go. */
  cols: z.optional(z.int()),
  rawStart: COUNT,
  rawEnd: z._default(z.nullable(COUNT), null),
  /** On the card only: never in blocks.jsonl, search or MCP (a leading space under ignorespace). */
  ephemeral: z._default(z.boolean(), false),
  bookmarked: z._default(z.boolean(), false),
  agentSessionId: z.optional(z.string()),
  /** The shell or remote that took over the terminal while it ran (such as `ssh`): commands given to that one are part of this block. */
  nested: z.optional(z.string()),
});
export type Block = z.infer<typeof Block>;

/** A colour as SGR gives it: an index 0–255 of the palette, or `#rrggbb`. */
export type SgrColor = number | string;

export type UnderlineStyle = 'double' | 'curly' | 'dotted' | 'dashed';

/** A stretch of one line with one look. Text holds no control characters. */
export interface StyledSpan {
  text: string;
  fg?: SgrColor;
  bg?: SgrColor;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  /** Left out where the line is one and straight. */
  underlineStyle?: UnderlineStyle;
  /** Left out where it has the text's colour. */
  underlineColor?: SgrColor;
  inverse?: true;
  strike?: true;
  /** The text is there and not shown (SGR 8). */
  hidden?: true;
  /** Target of an OSC 8 hyperlink as the output gave it; unchecked. */
  href?: string;
}

/** One logical line (unwrapped) of a block's output. `n` counts from 0. */
export interface StyledLine {
  n: number;
  spans: StyledSpan[];
  /** What it shows of images; their bytes are counted from the start of output.raw. */
  images?: ImageSlice[];
}
