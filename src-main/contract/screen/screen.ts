import { z } from 'zod';
import { AgentState } from '../chat/chat.ts';
import type { Frame, FrameRow } from './frame.ts';

/** A row of a frame under its number, from 0 at the top. */
export interface NumberedRow {
  readonly row: number;
  readonly line: FrameRow;
}

/**
 * What leads from one frame to a later one of the same epoch. Applied in this order: cut or extend to `rowsCount`, move all rows up by
 * `scrolledBy` (new ones at the bottom are blank), blank those of `removed`, then put `changed` and `added` in place.
 */
export interface ScreenDiff {
  readonly fromSeq: number;
  readonly toSeq: number;
  /** Rows by which the old picture moved up; so one line at the bottom is one added row and not forty changed ones. 0 when nothing moved. */
  readonly scrolledBy: number;
  /** Rows that were there and read or look otherwise now. */
  readonly changed: readonly NumberedRow[];
  /** Rows that were blank, scrolled in, or did not exist, and hold something now. */
  readonly added: readonly NumberedRow[];
  /** Rows, by their number in the new frame, that held something and are blank now. */
  readonly removed: readonly number[];
  /** Each only when it is not as before. */
  readonly cursor?: Frame['cursor'];
  readonly title?: string;
  readonly altScreen?: boolean;
  readonly cols?: number;
  readonly rowsCount?: number;
  readonly scrollbackTotal?: number;
}

/**
 * Why a reading that was asked for as a difference is the whole frame instead. `history-truncated`: the frame was held and is no longer;
 * `unknown-frame`: no reader was given a frame of that number.
 */
export type WholeFrameReason = 'first' | 'epoch-changed' | 'history-truncated' | 'unknown-frame' | 'large-diff';

/** The screen at one frame: whole, or as the difference since a frame that the reader knows. */
export type ScreenReading = {
  readonly terminalId: string;
  readonly seq: number;
  /** Never the same for two emulators, so that a `seq` of another run cannot be mistaken. */
  readonly epoch: string;
  /** FNV-1a 64 over text and looks, 16 hex digits: equal frames have equal hashes. */
  readonly hash: string;
  /** When the frame was taken, ms since 1970. */
  readonly atMs: number;
  /** `persisted`: read from the files; the program is gone, or the core is. */
  readonly source: 'live' | 'persisted';
  /** The rows right above the screen, oldest first, as many as were asked for and are held. */
  readonly scrollback: readonly FrameRow[];
} & (
  | { readonly full: true; readonly reason: WholeFrameReason | null; readonly frame: Frame }
  /** `frame`: the one that the difference leads to, for those who asked for it. */
  | { readonly full: false; readonly diff: ScreenDiff; readonly frame?: Frame }
);

/** A screen as a file, or why there is none. */
export type ScreenPicture =
  | { readonly ok: true; readonly mediaType: string; readonly base64: string }
  | { readonly ok: false; readonly reason: string };

export const ScreenQuery = z.object({
  /** A `seq` that the reader has; with `epoch` unless it never changes for the reader. */
  since: z.number().int().nonnegative().optional(),
  epoch: z.string().max(64).optional(),
  scrollback: z.number().int().min(0).max(1000).default(0),
  /** A difference comes with the frame that it leads to. */
  withFrame: z.boolean().optional(),
});
export type ScreenQuery = z.infer<typeof ScreenQuery>;

/** At most 512 characters, and each try at most 50 ms (security-reliability and mcp give both numbers). */
export const MAX_PATTERN_CHARS = 512;
export const MAX_PATTERN_MS = 50;

const Pattern = z.object({
  pattern: z.string().min(1).max(MAX_PATTERN_CHARS),
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .default(''),
});

/** Rows whose changes do not count. `auto`: those that change by themselves, as clocks and spinners do; see `VolatileRows`. */
const IgnoredRows = z.union([z.array(z.number().int().nonnegative()).max(1000), z.literal('auto')]);
export type IgnoredRows = z.infer<typeof IgnoredRows>;

/** One thing to wait for. */
export const WaitCondition = z.discriminatedUnion('type', [
  /**
   * The pattern is found. `new`: only in rows that came or changed after the wait began (or after `since`), so stale text never matches.
   * `scrollback`: on the screen or in the rows that are held above it.
   */
  Pattern.extend({ type: z.literal('match'), scope: z.enum(['new', 'screen', 'scrollback']).default('new') }),
  /** The pattern is nowhere on the screen. */
  Pattern.extend({ type: z.literal('absent') }),
  /** Something visible is not as it was. */
  z.object({ type: z.literal('changed'), ignoreRows: IgnoredRows.optional() }),
  /** Nothing visible has changed for so long. */
  z.object({
    type: z.literal('stable'),
    ms: z.number().int().min(10).max(600_000),
    ignoreRows: IgnoredRows.default([]),
  }),
  /** The running command ended. */
  z.object({ type: z.literal('block-end') }),
  /** The shell is at a trusted prompt. */
  z.object({ type: z.literal('prompt') }),
  /** The coding agent in the terminal is in one of these states. */
  z.object({ type: z.literal('agent'), states: z.array(AgentState).min(1).max(8) }),
  /** The terminal's program ended. It ends every wait, met or not. */
  z.object({ type: z.literal('exit') }),
]);
export type WaitCondition = z.infer<typeof WaitCondition>;

export const WaitQuery = z.object({
  conditions: z.array(WaitCondition).min(1).max(16),
  /** All at the same frame, or any. */
  mode: z.enum(['any', 'all']).default('any'),
  since: z.number().int().nonnegative().optional(),
  epoch: z.string().max(64).optional(),
  /** Where an earlier match ended: only what is behind it, or came or changed since that frame, is new. Takes the place of `since`. */
  resume: z
    .object({ seq: z.number().int().nonnegative(), row: z.number().int(), col: z.number().int().nonnegative() })
    .optional(),
  /** From when the wait begins; output never moves it. 0: judge what is there now. */
  timeoutMs: z
    .number()
    .int()
    .min(0)
    .max(24 * 3600_000)
    .default(30_000),
  scrollback: z.number().int().min(0).max(1000).default(0),
  /** The reading is the whole frame, also with `since`. */
  whole: z.boolean().optional(),
  /**
   * Patterns are judged on the rows as outside clients are told them, with what is secret redacted: neither a match nor its absence, nor the
   * work of trying, says anything of a secret. Places are still those of the frame.
   */
  redacted: z.boolean().optional(),
});
export type WaitQuery = z.infer<typeof WaitQuery>;

export interface WaitMatch {
  readonly text: string;
  readonly groups: readonly (string | null)[];
  /**
   * Of its first character in the frame, in UTF-16 units of the row's text. A negative row is one above the screen: the text had
   * scrolled off before the frame was taken.
   */
  readonly row: number;
  readonly col: number;
  /** Where the match ends: pass it as `since`/`resume` to look only behind it. */
  readonly resume: { readonly seq: number; readonly row: number; readonly col: number };
  /** Secrets that are redacted in `text`; left out where there is none. */
  readonly redactions?: number;
}

/** A `since` or `resume` that is ahead of the screen (now at `seq`): the reader mixed something up. */
export interface SeqMismatch {
  readonly error: 'seq-mismatch';
  readonly seq: number;
}

/** Whether patterns were kept from matching the shell's prompts and command lines; `unknown`: no shell hook says where those are. */
export type CommandLines = 'excluded' | 'unknown';

/** State and difference come from the very frame that was judged. */
export interface WaitResult {
  readonly outcome: 'met' | 'exited' | 'deadline' | 'gone' | 'bad-pattern' | 'slow-pattern';
  /** Conditions, by number, that were met at that frame. */
  readonly met: readonly number[];
  readonly waitedMs: number;
  readonly match: WaitMatch | null;
  /** The match stood there when the wait began. */
  readonly isImmediate: boolean;
  readonly commandLines: CommandLines;
  /** For `bad-pattern` and `slow-pattern`: what is wrong with it. */
  readonly reason: string | null;
  readonly exit: { readonly exitCode: number | null; readonly signal: string | null } | null;
  readonly reading: ScreenReading | null;
}

/** A line of screen.jsonl. `keyframe`: the fold starts anew here, with `rows` being all of them. Blank rows are left out of a keyframe. */
export const ScreenDelta = z.object({
  seq: z.number().int(),
  epoch: z.string(),
  ts: z.number(),
  keyframe: z.literal(true).optional(),
  scrolled_by: z.number().int().optional(),
  rows: z.array(z.object({ row: z.number().int(), text: z.string(), wrapped: z.literal(true).optional() })),
  cursor: z.object({ row: z.number().int(), col: z.number().int() }).optional(),
  title: z.string().optional(),
  alt_screen: z.boolean().optional(),
  cols: z.number().int().optional(),
  rows_count: z.number().int().optional(),
  scrollback_total: z.number().int().optional(),
});
export type ScreenDelta = z.infer<typeof ScreenDelta>;

/** A delta on its way to a reader. `pty_id`: the terminal, by the name that outside clients know. */
export type NamedDelta = { type: 'screen_delta'; pty_id: string } & ScreenDelta;

/** Of a stream: its place there, from 1, by which a reader acknowledges it. */
export type StreamedDelta = { n: number } & NamedDelta;

/** The last message of a stream: its terminal was closed. `screen.at` and `screen.deltas` still read what it recorded. */
export interface ScreenClosed {
  readonly type: 'screen_closed';
  readonly pty_id: string;
  readonly n: number;
}

/** screen.snapshot.json: the last screen, with at most 100 rows from above it. */
export const ScreenSnapshot = z.object({
  version: z.literal(1),
  rows: z.array(z.string()),
  cursor: z.object({ row: z.number().int(), col: z.number().int() }),
  title: z.string(),
  alt_screen: z.boolean(),
  cols: z.number().int(),
  rows_count: z.number().int(),
  scrollback: z.array(z.string()),
  scrollback_total: z.number().int(),
  seq: z.number().int(),
  screen_epoch: z.string(),
  hash: z.string(),
  ts: z.number(),
});
export type ScreenSnapshot = z.infer<typeof ScreenSnapshot>;
