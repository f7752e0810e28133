import * as z from 'zod/mini';
import { BlockId, Count, TerminalId } from './ids.ts';
import type { ImageSlice } from './image.ts';

export const BlockStatus = z.enum(['running', 'completed', 'interrupted', 'superseded', 'unknown_end']);
export type BlockStatus = z.infer<typeof BlockStatus>;

/** The evidence for the end of a block. Absent while it runs. */
export const EndedBy = z.enum(['mark', 'superseded', 'prompt', 'shell-exit', 'recovery']);
export type EndedBy = z.infer<typeof EndedBy>;

/** Source of the command's text: `hook` and `typed` are exact, `screen` was read from the cells, `cmdline` was claimed by foreign marks. */
export const TextSource = z.enum(['hook', 'cmdline', 'screen', 'typed']);
export type TextSource = z.infer<typeof TextSource>;

/**
 * `command`: between BEGIN and END. `background`: output while no command ran and no prompt was drawn.
 * `session`: all output of a shell without integration, as one card.
 */
export const BlockKind = z.enum(['command', 'background', 'session']);
export type BlockKind = z.infer<typeof BlockKind>;

/**
 * One shell command and its output. A line of blocks.jsonl when it begins, again when it ends or changes; the later line wins.
 * Offsets are bytes in output.raw; times are milliseconds since 1970 UTC (for people), durations come from a monotonic clock.
 */
export const Block = z.object({
  id: BlockId,
  terminalId: TerminalId,
  /** Order within the terminal, from 1, across all restarts. Never reused, never reordered by clock. */
  seq: Count,
  kind: z._default(BlockKind, 'command'),
  status: BlockStatus,
  /** Exact, or null if unknown. */
  cmd: z.nullable(z.string()),
  /** The text that a client sent, if the shell ran another one (an abbreviation, a history expansion). */
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
  /** Name such as SIGINT, if a signal ended the shell's own process or the exit code names one. */
  signal: z.optional(z.string()),
  endedBy: z._default(z.nullable(EndedBy), null),
  /** The hook's nonce proves begin and end. */
  trusted: z.boolean(),
  outputBytes: z._default(Count, 0),
  /** Logical lines in the block's `.out`. */
  outputLines: z._default(Count, 0),
  usedAltScreen: z._default(z.boolean(), false),
  /** The cursor (also an image's) was addressed beyond its own line, so the text is the rendered screen instead of the stream of lines. */
  addressed: z._default(z.boolean(), false),
  /** Number of images in its rendered lines. Absent without any. */
  images: z.optional(z.int().check(z.positive())),
  /** Columns of the screen when it began, which limit cursor movements. */
  cols: z.optional(z.int()),
  rawStart: Count,
  rawEnd: z._default(z.nullable(Count), null),
  /** Only on the card: never in blocks.jsonl, search or MCP (a leading space under ignorespace). */
  ephemeral: z._default(z.boolean(), false),
  bookmarked: z._default(z.boolean(), false),
  agentSessionId: z.optional(z.string()),
  /** The shell or remote that took over the terminal while it ran (such as `ssh`): commands in there are part of this block. */
  nested: z.optional(z.string()),
});
export type Block = z.infer<typeof Block>;

/** A colour of SGR: an index 0–255 of the palette, or `#rrggbb`. */
export type SgrColor = number | string;

export type UnderlineStyle = 'double' | 'curly' | 'dotted' | 'dashed';

/** A run of one line with equal attributes. Text has no control characters. */
export interface StyledSpan {
  text: string;
  fg?: SgrColor;
  bg?: SgrColor;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  /** Absent for a single straight line. */
  underlineStyle?: UnderlineStyle;
  /** Absent if it equals the text's colour. */
  underlineColor?: SgrColor;
  inverse?: true;
  strike?: true;
  /** The text exists but is invisible (SGR 8). */
  hidden?: true;
  /** Target of an OSC 8 hyperlink, unchecked. */
  href?: string;
}

/** One logical line (unwrapped) of a block's output. `n` counts from 0. */
export interface StyledLine {
  n: number;
  spans: StyledSpan[];
  /** Parts of images in this line; their bytes count from the start of output.raw. */
  images?: ImageSlice[];
}

/** Logical lines per entry of a block's line index; a power of two. */
export const INDEX_EVERY_LINES = 1024;
