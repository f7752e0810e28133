import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { isGrey } from './looks.ts';
import {
  ASIDE,
  EFFORT,
  EXIT,
  FOLDED_FAILED,
  FOLDED_TOOL,
  INPUT,
  MODE_NOTICE,
  SPINNER,
  THOUGHT,
  WELCOME,
} from './rules.ts';

export type PieceKind = 'welcome' | 'user' | 'command' | 'model' | 'call' | 'result' | 'notice' | 'exit' | 'none';

/** Adjacent rows of one kind, from `from` to before `to`. */
export interface Piece {
  readonly kind: PieceKind;
  readonly from: number;
  to: number;
}

const LOGO = /^\s*[\u2580-\u259f]/;
const TOOL = /^[●⏺] (?:[A-Z][\w:-]+|[\w-]+ - [\w-]+ \(MCP\))\(/;
/** A thought without colours. With words behind the time it is an answer's. */
const THOUGHT_ROW = /^\s*(?:∴ Thinking|Thought for (?:\d+[hms]\s*)+(?:\(.*\))?\s*$)/;
const THINKING = /^[●⏺ ] Thinking\b/;
/** Folded calls, recognised without colours. */
const RUNNING =
  /^[●⏺] (?:(?:Reading|Searching|Running|Listing) \d+ .*…(?: \(|$)|(?:Read|Ran|Searched|Listed) \d+ .*\(ctrl)/;
const INTERRUPTED = /^ {2}⎿\s+Interrupted\b/;
const USER = /^[❯>][ \u00a0]+(\S|$)/;

/** Cuts the transcript, rows up to `end`, into pieces. Rows of other kinds (spinners, ends of turns, thoughts) are 'none'. */
export function piecesOf(rows: readonly FrameRow[], end: number): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < end; at += 1) {
    const open = pieces.at(-1);
    const kind = startOf(rows, at, open);
    if (kind !== null) pieces.push({ kind, from: at, to: at + 1 });
    else if (open && belongs(rows, at, open)) open.to = at + 1;
    else if (isText(rows[at])) pieces.push({ kind: headKind(rows, at, open), from: at, to: at + 1 });
  }
  return pieces;
}

/** Kind of the piece that starts in row `at`; null if the row starts no piece. */
function startOf(rows: readonly FrameRow[], at: number, open: Piece | undefined): PieceKind | null {
  const row = rows[at];
  const text = row?.text ?? '';
  if (!row || text.trim() === '') return null;
  if (WELCOME.test(text) && !/^[●⏺❯>─]/.test(text) && !isQuoted(row, open)) return 'welcome';
  if (open?.kind === 'welcome' && (LOGO.test(text) || /^[│╰]/.test(text))) return null;
  if (/^▎/.test(text)) return open?.kind === 'notice' ? null : 'notice';
  if (EXIT.test(text)) return 'exit';
  if (/^✻ Conversation compacted/.test(text)) return 'notice';
  if (SPINNER.test(text) || EFFORT.test(text)) return 'none';
  if (USER.test(text)) return /^[❯>]\s+\/[a-z]/.test(text) ? 'command' : 'user';
  if (/^! \S/.test(text)) return 'command';
  if (MODE_NOTICE.test(text)) return 'notice';
  if (isDimBullet(row)) return THINKING.test(text) ? 'none' : 'call';
  if (/^[●⏺]( |$)/.test(text)) return isToolCall(row) ? 'call' : 'model';
  if (ASIDE.test(text)) return 'none';
  if (/^ {2}[⎿└]\s/.test(text)) return isInput(rows, at, open) ? null : 'result';
  return indentedStart(rows, at, open);
}

/** Lines with the indent of text that are not text: the fullscreen mode's lines about tools and thoughts. */
function indentedStart(rows: readonly FrameRow[], at: number, open: Piece | undefined): PieceKind | null {
  const row = rows[at];
  if (!row || !/^ {2}\S/.test(row.text) || (rows[at - 1]?.text ?? '').trim() !== '') return null;
  const isGrey = row.spans.some((span) => span.text.trim() !== '') && row.spans.every(isGreySpan);
  if (THOUGHT.test(row.text) && (isGrey || THOUGHT_ROW.test(row.text))) return 'none';
  if (FOLDED_FAILED.test(row.text) && row.spans.slice(0, 3).every(isGreySpan)) return 'call';
  if (FOLDED_TOOL.test(row.text) && (isGrey || row.spans.length === 1)) return 'call';
  const below = rows[at + 1]?.text ?? '';
  // An interrupted answer also has this status row below its last line, which may be a separate paragraph.
  if (open?.kind === 'model' && INTERRUPTED.test(below) && !isGrey) return null;
  // The row of a call begins a sentence.
  if (/^ {2}⎿\s/.test(below)) return /^ {2}[A-Z]/.test(row.text) ? 'call' : null;
  // Up to 2.1.54 a quote was all dim and in italics, without a bar before it.
  const isQuote =
    open?.kind === 'model' && row.spans.every(({ text, italic }) => text.trim() === '' || italic === true);
  return isGrey && !isQuote ? 'none' : null;
}

/** Words of an answer that name the program. The name in its greeting is bold or coloured. */
function isQuoted({ text, spans }: FrameRow, open: Piece | undefined): boolean {
  return open?.kind === 'model' && /^ {2,}[\p{L}\d]/u.test(text) && spans.every(({ bold, fg }) => !bold && !fg);
}

/** A call in words has its input below it: a command, or a file while it is read. */
function isInput(rows: readonly FrameRow[], at: number, open: Piece | undefined): boolean {
  const call = rows[open?.from ?? -1];
  if (open?.kind !== 'call' || open.to !== at || !call || TOOL.test(call.text)) return false;
  return INPUT.test(rows[at]?.text ?? '') || (isDimBullet(call) && / Reading /.test(call.text));
}

/** A running call's bullet is grey and disappears every other half second, leaving a grey blank. */
function isDimBullet({ spans, text }: FrameRow): boolean {
  return (
    isGrey(spans[0]?.fg) && /^[●⏺ ]$/.test(spans[0]?.text ?? '') && /^[●⏺ ] [^\s⎿└]/.test(text) && spans.length > 1
  );
}

function isGreySpan({ text, fg, dim }: FrameRow['spans'][number]): boolean {
  return text.trim() === '' || dim === true || isGrey(fg);
}

/** The name of a tool is bold; without styles, only the shape decides. */
function isToolCall(row: FrameRow): boolean {
  if (RUNNING.test(row.text)) return true;
  if (!TOOL.test(row.text)) return false;
  return row.spans.length === 1 || row.spans.some((span) => span.bold === true && /^[● ⏺]*[A-Z]/.test(span.text));
}

function belongs(rows: readonly FrameRow[], at: number, open: Piece): boolean {
  const row = rows[at];
  if (!row || open.kind === 'none') return false;
  if (open.kind === 'user' || open.kind === 'command') return isMoreOfUser(rows, at, open);
  if (row.text.trim() === '') return open.kind !== 'exit' && open.kind !== 'welcome';
  if (open.kind === 'welcome') return LOGO.test(row.text) || /^[│╰]/.test(row.text);
  if (open.kind === 'notice') return /^▎/.test(row.text) || (row.text.startsWith('  ') && open.to === at);
  if (open.kind === 'exit') return open.to === at && (at === open.from + 1 || row.wrapped);
  if (open.kind === 'call' && isInput(rows, at, open)) return true;
  if (open.kind === 'result' || open.kind === 'call') return /^ {4}/.test(row.text);
  return /^ {2}/.test(row.text);
}

/** Typed text continues in rows of the same background; if no background is shown, in indented rows. */
function isMoreOfUser(rows: readonly FrameRow[], at: number, open: Piece): boolean {
  const row = rows[at];
  const bg = rows[open.from]?.spans[0]?.bg;
  if (!row || open.to !== at) return false;
  return bg === undefined ? /^ {2}\S/.test(row.text) : row.spans.at(-1)?.bg === bg;
}

function isText(row: FrameRow | undefined): boolean {
  return row !== undefined && row.text.trim() !== '';
}

/** Text at the very top, without a beginning: the end of an answer or prompt that has scrolled out. Deeper lines may be a tool's. */
function headKind(rows: readonly FrameRow[], at: number, open: Piece | undefined): PieceKind {
  const row = rows[at];
  if (open || !row) return 'none';
  if (/^ {2}/.test(row.text) && row.spans.every(({ bg }) => bg !== undefined)) return 'user';
  return /^ {2,3}\S/.test(row.text) ? 'model' : 'none';
}
