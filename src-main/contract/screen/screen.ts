import { z } from 'zod';
import { AgentState } from '../chat/chat.ts';
import type { Frame, FrameRow } from './frame.ts';
import { MAX_PATTERN_CHARS } from './patternLimits.ts';
import type { ScreenDelta } from './screenRecord.ts';

/** A row of a frame with its number, from 0 at the top. */
export interface NumberedRow {
  readonly row: number;
  readonly line: FrameRow;
}

/**
 * The difference from one frame to a later one of the same epoch. Apply it in this order: cut or extend to `rowsCount`, move all rows up by
 * `scrolledBy` (new ones at the bottom are blank), blank the rows of `removed`, then insert `changed` and `added`.
 */
export interface ScreenDiff {
  readonly fromSeq: number;
  readonly toSeq: number;
  /** Rows by which the old picture moved up, so that a new line at the bottom is one added row instead of forty changed ones. 0 without a move. */
  readonly scrolledBy: number;
  /** Rows that existed before and now have another text or other attributes. */
  readonly changed: readonly NumberedRow[];
  /** Rows with content that were blank, scrolled in, or did not exist before. */
  readonly added: readonly NumberedRow[];
  /** Blank rows, by their number in the new frame, that had content before. */
  readonly removed: readonly number[];
  /** Each present only if it changed. */
  readonly cursor?: Frame['cursor'];
  readonly title?: string;
  readonly altScreen?: boolean;
  readonly cols?: number;
  readonly rowsCount?: number;
  readonly scrollbackTotal?: number;
}

/**
 * Why a read returns the whole frame instead of the requested difference. `history-truncated`: the frame is no longer kept;
 * `unknown-frame`: no reader got a frame with that number.
 */
export type WholeFrameReason = 'first' | 'epoch-changed' | 'history-truncated' | 'unknown-frame' | 'large-diff';

/** The screen at one frame: whole, or as the difference from a frame that the reader has. */
export type ScreenReading = {
  readonly terminalId: string;
  readonly seq: number;
  /** Unique per emulator, so that a `seq` of another run cannot be confused. */
  readonly epoch: string;
  /** FNV-1a 64 over text and attributes, 16 hex digits: equal frames have equal hashes. */
  readonly hash: string;
  /** When the frame was taken, ms since 1970. */
  readonly atMs: number;
  /** `persisted`: read from the files; the program or the core is gone. */
  readonly source: 'live' | 'persisted';
  /** The rows right above the screen, oldest first: as many as requested and available. */
  readonly scrollback: readonly FrameRow[];
} & (
  | { readonly full: true; readonly reason: WholeFrameReason | null; readonly frame: Frame }
  /** `frame`: the result of the difference, if it was requested. */
  | { readonly full: false; readonly diff: ScreenDiff; readonly frame?: Frame }
);

/** A screen as a file, or the reason why there is none. */
export type ScreenPicture =
  | { readonly ok: true; readonly mediaType: string; readonly base64: string }
  | { readonly ok: false; readonly reason: string };

export const ScreenQuery = z.object({
  /** A `seq` that the reader has; with `epoch` unless the reader's epoch never changes. */
  since: z.number().int().nonnegative().optional(),
  epoch: z.string().max(64).optional(),
  scrollback: z.number().int().min(0).max(1000).default(0),
  /** Return the resulting frame with a difference. */
  withFrame: z.boolean().optional(),
});
export type ScreenQuery = z.infer<typeof ScreenQuery>;

const Pattern = z.object({
  pattern: z.string().min(1).max(MAX_PATTERN_CHARS),
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .default(''),
});

/** Rows whose changes do not count. `auto`: rows that change by themselves, such as clocks and spinners; see `VolatileRows`. */
const IgnoredRows = z.union([z.array(z.number().int().nonnegative()).max(1000), z.literal('auto')]);
export type IgnoredRows = z.infer<typeof IgnoredRows>;

/** One thing to wait for. */
export const WaitCondition = z.discriminatedUnion('type', [
  /**
   * The pattern matches. `new`: only in rows that came or changed after the wait began (or after `since`), so stale text never matches.
   * `scrollback`: on the screen or in the rows kept above it.
   */
  Pattern.extend({ type: z.literal('match'), scope: z.enum(['new', 'screen', 'scrollback']).default('new') }),
  /** The pattern matches nowhere on the screen. */
  Pattern.extend({ type: z.literal('absent') }),
  /** Something visible changed. */
  z.object({ type: z.literal('changed'), ignoreRows: IgnoredRows.optional() }),
  /** Nothing visible has changed for this time. */
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
  /** End of an earlier match: only text after it, or text that came or changed since that frame, is new. Replaces `since`. */
  resume: z
    .object({ seq: z.number().int().nonnegative(), row: z.number().int(), col: z.number().int().nonnegative() })
    .optional(),
  /** Counts from the start of the wait; output never extends it. 0: judge the current screen. */
  timeoutMs: z
    .number()
    .int()
    .min(0)
    .max(24 * 3600_000)
    .default(30_000),
  scrollback: z.number().int().min(0).max(1000).default(0),
  /** Return the whole frame, even with `since`. */
  whole: z.boolean().optional(),
  /**
   * Judge patterns on the rows that clients get, with secrets redacted: neither a match, nor its absence, nor the time it takes reveals
   * anything about a secret. Positions are still the frame's.
   */
  redacted: z.boolean().optional(),
});
export type WaitQuery = z.infer<typeof WaitQuery>;

export interface WaitMatch {
  readonly text: string;
  readonly groups: readonly (string | null)[];
  /**
   * Position of its first character in the frame, in UTF-16 units of the row's text. A negative row is above the screen: the text had
   * scrolled off before the frame was taken.
   */
  readonly row: number;
  readonly col: number;
  /** End of the match: pass it as `since`/`resume` to search only after it. */
  readonly resume: { readonly seq: number; readonly row: number; readonly col: number };
  /** Number of redacted secrets in `text`; absent without any. */
  readonly redactions?: number;
}

/** A `since` or `resume` is ahead of the screen (now at `seq`): the reader made a mistake. */
export interface SeqMismatch {
  readonly error: 'seq-mismatch';
  readonly seq: number;
}

/** Whether the shell's prompts and command lines were excluded from matching; `unknown`: no shell hook reports them. */
export type CommandLines = 'excluded' | 'unknown';

/** State and difference come from the judged frame. */
export interface WaitResult {
  readonly outcome: 'met' | 'exited' | 'deadline' | 'gone' | 'bad-pattern' | 'slow-pattern';
  /** Indices of the conditions that were met at that frame. */
  readonly met: readonly number[];
  readonly waitedMs: number;
  readonly match: WaitMatch | null;
  /** The match existed when the wait began. */
  readonly isImmediate: boolean;
  readonly commandLines: CommandLines;
  /** Reason for `bad-pattern` and `slow-pattern`. */
  readonly reason: string | null;
  readonly exit: { readonly exitCode: number | null; readonly signal: string | null } | null;
  readonly reading: ScreenReading | null;
}

/** A delta as sent to a reader. `pty_id`: the terminal, by the name that clients use. */
export type NamedDelta = { type: 'screen_delta'; pty_id: string } & ScreenDelta;

/** A delta of a stream with its number, from 1, which a reader acknowledges. */
export type StreamedDelta = { n: number } & NamedDelta;

/** The last message of a stream: its terminal was closed. `screen.at` and `screen.deltas` can still read its record. */
export interface ScreenClosed {
  readonly type: 'screen_closed';
  readonly pty_id: string;
  readonly n: number;
}
