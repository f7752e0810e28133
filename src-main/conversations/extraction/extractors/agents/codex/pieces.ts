import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { backgroundOf, isThought } from './looks.ts';
import { DECISION, EXIT, INFO, STATUS, TURN_END, VERDICT, WELCOME } from './rules.ts';
import { toolOf } from './tools.ts';

export type PieceKind =
  | 'welcome'
  | 'user'
  | 'command'
  | 'model'
  | 'call'
  | 'result'
  | 'verdict'
  | 'notice'
  | 'exit'
  | 'none';

/** Adjacent rows of one kind, from `from` to before `to`. */
export interface Piece {
  readonly kind: PieceKind;
  readonly from: number;
  to: number;
}

const USER = /^[›▌] \S/;
const EXIT_MORE =
  /^(?:To reconnect, run:|To continue this session|Stop the current turn:|Token usage|\s*codex resume )/;
const BOX = /^╭─/;
const BOX_ROW = /^[│╰]/;

/**
 * The screen row that holds the last prompt while its answer scrolls below; null if the row is the prompt itself.
 * A prompt has a row of its background above and below; the held one has neither.
 */
export function heldRow({ rows, screenTop, altScreen }: ChatSnapshot): number | null {
  const first = rows[screenTop];
  if (!altScreen || !first || !USER.test(first.text) || backgroundOf(first) === undefined) return null;
  return backgroundOf(rows[screenTop + 1]) === backgroundOf(first) ? null : screenTop;
}

/** Cuts the transcript, rows up to `end`, into pieces. Rows of other kinds (ends of turns, thoughts, hints) are 'none'. */
export function piecesOf(snapshot: ChatSnapshot, end: number): Piece[] {
  const { rows } = snapshot;
  const pieces: Piece[] = [];
  const held = heldRow(snapshot);
  const isWhole = rows.some((row) => WELCOME.test(row.text));
  for (let at = 0; at < end; at += 1) {
    const open = at === held ? undefined : pieces.at(-1);
    const row = rows[at];
    if (!row || at === held) continue;
    const kind = startOf(rows, at, open);
    if (kind !== null) pieces.push({ kind, from: at, to: at + 1 });
    else if (open && belongs(rows, at, open)) open.to = at + 1;
    else if (row.text.trim() !== '') {
      const isHead = pieces.length === 0 && !isWhole;
      pieces.push({ kind: isHead ? headKind(row) : 'none', from: at, to: at + 1 });
    }
  }
  return pieces;
}

/** Kind of the piece that starts in row `at`; null if the row starts no piece. */
function startOf(rows: readonly FrameRow[], at: number, open: Piece | undefined): PieceKind | null {
  const row = rows[at];
  const text = row?.text ?? '';
  if (!row || text.trim() === '') return null;
  if (WELCOME.test(text)) return open?.kind === 'welcome' ? null : 'welcome';
  if (BOX.test(text)) return WELCOME.test(rows[at + 1]?.text ?? '') ? 'welcome' : 'notice';
  if (EXIT.test(text)) return open?.kind === 'exit' ? null : 'exit';
  if (TURN_END.test(text) || STATUS.test(text) || /^WARNING: /.test(text)) return 'none';
  if (USER.test(text)) return /^[›▌] \/[a-z]/.test(text) ? 'command' : 'user';
  if (/^\/[a-z][\w-]*(?: |$)/.test(text)) return 'command';
  if (VERDICT.test(text)) return 'verdict';
  if (DECISION.test(text) || /^(?:■|⚠) /.test(text)) return 'notice';
  if (isCall(row)) return 'call';
  if (/^[•◦] {1,2}\S/.test(text)) return bulletKind(row); // a table is indented by one more column
  if (/^ {2}[└⎿] Tip: /.test(text) && open?.kind !== 'call') return 'none';
  if (/^ {2}[└⎿] /.test(text)) return isInput(rows, open) ? null : 'result';
  if (/^ {4,}\d+ [+\- ]/.test(text) && open?.kind === 'call') return 'result';
  if (/^ {2,4}\+ Show details\s*$/.test(text)) return 'none';
  return null;
}

function bulletKind(row: FrameRow): PieceKind {
  if (INFO.test(row.text)) return 'notice';
  return isThought(row) ? 'none' : 'model';
}

/** The verb of a call is bold; without styles, only the shape decides. */
function isCall(row: FrameRow): boolean {
  if (!toolOf(row.text)) return false;
  if (row.spans.length === 1) return !/^\$/.test(row.text);
  if (/^\$/.test(row.text)) return row.spans[0]?.fg !== undefined;
  return row.spans.some((span) => span.bold === true && /^[•\s]*[A-Z]/.test(span.text));
}

function isInput(rows: readonly FrameRow[], open: Piece | undefined): boolean {
  return open?.kind === 'call' && toolOf(rows[open.from]?.text ?? '')?.shape.isInputBelow === true;
}

function belongs(rows: readonly FrameRow[], at: number, open: Piece): boolean {
  const text = rows[at]?.text ?? '';
  const isBlank = text.trim() === '';
  const isNext = open.to === at;
  switch (open.kind) {
    case 'user':
    case 'command':
      return isNext && isMoreOfUser(rows, at, open);
    case 'welcome':
      return isNext && (BOX_ROW.test(text) || /^ {4,}\S/.test(text));
    case 'notice':
      return isNext && !isBlank && (BOX_ROW.test(text) || /^ {2}/.test(text));
    case 'exit':
      return isNext && (rows[at]?.wrapped === true || EXIT_MORE.test(text));
    case 'call':
      if (isInput(rows, open)) return /^ {4,}\S/.test(text) || (isNext && /^ {2}[│└] /.test(text)); // a plan's step may have blank rows
      return isNext && (/^ {2}[│└] /.test(text) || /^ {4}\S/.test(text));
    case 'result':
      return isBlank || /^ {4}/.test(text);
    case 'model':
      return isBlank || /^ {2}/.test(text);
    case 'none':
      return isNext && !isBlank && /^ {2}\S/.test(text) && isThought(rows[at] as FrameRow);
    default:
      return false;
  }
}

/** Typed text continues in rows of the same background; if no background is shown, in indented rows. */
function isMoreOfUser(rows: readonly FrameRow[], at: number, open: Piece): boolean {
  const bg = backgroundOf(rows[open.from]);
  return bg === undefined ? /^ {2}\S/.test(rows[at]?.text ?? '') : backgroundOf(rows[at]) === bg;
}

/** Text at the very top, without a beginning: the end of a message that has scrolled out. Deeper lines may be a call's. */
function headKind(row: FrameRow): PieceKind {
  if (/^ {2}\S/.test(row.text) && row.spans.every(({ bg }) => bg !== undefined)) return 'user';
  return /^ {2,3}\S/.test(row.text) ? 'model' : 'none';
}
