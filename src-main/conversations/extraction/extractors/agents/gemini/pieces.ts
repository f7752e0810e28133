import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { columnsOf } from '../../../markdown/spans.ts';
import { codeNumberOf } from './codeNumber.ts';
import { withoutLeftovers } from './leftovers.ts';
import { BARE_CALL, EXIT, MODEL, NOTICE, OPTION, PLACEHOLDER, STATUS, TOOL_GLYPH, WELCOME } from './rules.ts';

export type PieceKind = 'welcome' | 'user' | 'model' | 'tools' | 'dense' | 'bare' | 'notice' | 'exit' | 'none';

/** Adjacent rows of one kind, from `from` to before `to`. */
export interface Piece {
  readonly kind: PieceKind;
  readonly from: number;
  to: number;
  /** An answer that begins with code, before which the program draws no glyph. */
  readonly hasNoGlyph?: true;
  /** The end of an answer whose beginning a resize erased, directly below its prompt. */
  readonly isErased?: true;
  /** The redrawn rest of an answer, below the end of the old drawing. */
  readonly isRest?: true;
  /** Those of its rows that were redrawn further down: from `from` to before `to`. */
  readonly without?: { readonly from: number; readonly to: number };
}

/** The rows of a piece, without those that were redrawn further down. */
export function rowsOf(rows: readonly FrameRow[], { from, to, without }: Piece): FrameRow[] {
  return without ? [...rows.slice(from, without.from), ...rows.slice(without.to, to)] : rows.slice(from, to);
}

const BAR_TOP = /^▄{8}/;
const BAR_END = /^▀{8}/;
const BOX_TOP = /^ ?╭─{2}/;
const BOX_END = /^ ?╰─{2}/;
const LOGO = /^\s*[▝▗▘▖▐▌█▜▛▙▟░▀▄]{1,4}/;
/** Typed text, between bars. */
const USER = /^ {0,2}[>$!] \S/;
/** Typed text without bars, if there are no colours. A quote in an answer has two blanks before it. */
const PLAIN_USER = /^ ?> \S/;
/** Notes about its history, drawn with the glyph of an answer. */
const HISTORY =
  /^ {0,2}✦ (?:Compress|Chat history compressed|Nothing to compress|Could not compress|Failed to compress)/;
/** A hint at the right edge above the input box. A window that became narrower wraps it or moves it to its own row. */
const HINT = '? for shortcuts';
const HINT_COL = 16;
/** The columns of text below the input box: the folder, the sandbox and the model. */
const FOOTER = /^ ?\S.* {2,}\S/;
const CODE_HEAD = /^ {3,5}1(?: |$)/;
/** A row of an answer in words, which may quote what the program prints at its start and end. */
const SAID_ROW = /^ {2,}[\p{L}\d]/u;
const LOGO_ROWS = 12;
const RULE = /^─{8}/;
/** Most rows of an input box that was redrawn elsewhere and left behind, from its rule to its footer. */
const CHROME_ROWS = 20;
const FOOTER_ROWS = 2;

/** Cuts the transcript, rows up to `end`, into pieces. Rows of other kinds (thoughts, hints) are 'none'. */
export function piecesOf(rows: readonly FrameRow[], end: number): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < end; at += 1) {
    const open = pieces.at(-1);
    const kind = startOf(rows, at, open);
    if (kind !== null) {
      const to = Math.min(pieceEnd(rows, at, kind), end);
      pieces.push({ kind, from: at, to });
      at = to - 1;
    } else if (isCodeHead(rows[at], pieces)) pieces.push({ kind: 'model', from: at, to: at + 1, hasNoGlyph: true });
    else if (open && belongs(rows, at, open)) open.to = at + 1;
    else if (isRest(rows[at], rows, pieces)) pieces.push({ kind: 'model', from: at, to: at + 1, isRest: true });
    else if (isErased(rows, at, open)) pieces.push({ kind: 'model', from: at, to: at + 1, isErased: true });
    else if (rows[at]?.text.trim() !== '') pieces.push({ kind: headKind(rows, at, open), from: at, to: at + 1 });
  }
  return withoutLeftovers(rows, pieces);
}

function pieceEnd(rows: readonly FrameRow[], at: number, kind: PieceKind): number {
  if (RULE.test(rows[at]?.text ?? '')) return chromeEnd(rows, at);
  const isWhole = kind === 'user' || kind === 'tools' || kind === 'exit';
  return isWhole ? closedAt(rows, at) : at + 1;
}

/** Returns the row after the input box whose top rule is in row `at`. If that box was overdrawn, a sent prompt may follow it directly. */
function chromeEnd(rows: readonly FrameRow[], at: number): number {
  for (let to = at + 1; to < Math.min(rows.length, at + CHROME_ROWS); to += 1) {
    const text = rows[to]?.text ?? '';
    if (MODEL.test(text) || BOX_TOP.test(text) || STATUS.test(text) || RULE.test(text)) break;
    if (BAR_TOP.test(text) && isPrompt(rows, to)) break;
    if (BAR_END.test(text)) return to + 1 + FOOTER_ROWS;
  }
  return at + 1;
}

/** Whether the text between the bars from row `at` on was sent: it is not the placeholder, and no footer follows. */
function isPrompt(rows: readonly FrameRow[], at: number): boolean {
  const text = rows[at + 1]?.text ?? '';
  if (!USER.test(text) || PLACEHOLDER.test(text.replace(/^ {0,2}[>$!] +/, ''))) return false;
  const to = rows.findIndex((row, place) => place > at && BAR_END.test(row.text));
  return to >= 0 && !FOOTER.test(rows[to + 1]?.text ?? '');
}

/** The first line of code below something other than an answer, so this answer has no glyph. A tool indents its lines more. */
function isCodeHead(row: FrameRow | undefined, pieces: readonly Piece[]): boolean {
  if (!row || !CODE_HEAD.test(row.text) || codeNumberOf(row) !== 1) return false;
  const above = pieces.findLast(({ kind }) => kind !== 'none');
  if (above?.kind === 'model') return above.isErased === true; // the next prompt may have been erased too
  return above !== undefined && /^(?:user|tools|dense|notice)$/.test(above.kind);
}

/**
 * The status row is the last row of an old drawing; a redrawn message follows it directly. In a narrower window it is wrapped, and the rule
 * below it remains too.
 */
function isRest(row: FrameRow | undefined, rows: readonly FrameRow[], pieces: readonly Piece[]): boolean {
  const above = pieces.findLastIndex(({ kind }) => kind !== 'none');
  if (!row || !/^ {2,}\S/.test(row.text) || pieces[above]?.kind !== 'model') return false;
  const old = pieces.slice(above + 1);
  const end = rows[old.at(-1)?.from ?? -1];
  const isEnd = end !== undefined && (STATUS.test(end.text) || end.wrapped || RULE.test(end.text));
  return isEnd && old.some(({ from }) => STATUS.test(rows[from]?.text ?? ''));
}

/** Kind of the piece that starts in row `at`; null if the row starts no piece. */
function startOf(rows: readonly FrameRow[], at: number, open: Piece | undefined): PieceKind | null {
  const text = rows[at]?.text ?? '';
  if (text.trim() === '') return null;
  if (RULE.test(text)) return 'none';
  if (BAR_TOP.test(text)) return USER.test(rows[at + 1]?.text ?? '') ? 'user' : 'none';
  if (PLAIN_USER.test(text) && open !== undefined && open.kind !== 'none') return 'user';
  const isQuoted = open?.kind === 'model' && SAID_ROW.test(text);
  if (!isQuoted && isWelcome(rows, at)) return open?.kind === 'welcome' ? null : 'welcome';
  if (BOX_TOP.test(text)) return boxKind(rows, at);
  if (HISTORY.test(text)) return 'notice';
  if (MODEL.test(text)) return 'model';
  if (!isQuoted && EXIT.test(text)) return open !== undefined && /^ ?│/.test(text) ? 'none' : 'exit'; // of a box whose top is missing
  if (NOTICE.test(text)) return 'notice';
  if (STATUS.test(text) || isHint(rows, at) || /^ (?:Thinking\.\.\.\s*$|│)/.test(text)) return 'none';
  if (isBare(rows[at])) return 'bare';
  return isDense(rows[at]) ? 'dense' : null;
}

function isHint(rows: readonly FrameRow[], at: number): boolean {
  const { text = '', wrapped = false } = rows[at] ?? {};
  const own = text.trim();
  if (!own.startsWith('?') || !HINT.startsWith(own)) return false;
  const col = text.search(/\S/);
  const isEndOfBlankRow = wrapped && rows[at - 1]?.text.trim() === '';
  return isEndOfBlankRow || col >= HINT_COL || (col === 0 && own === HINT);
}

function isWelcome(rows: readonly FrameRow[], at: number): boolean {
  const text = rows[at]?.text ?? '';
  if (WELCOME.test(text)) return true;
  return LOGO.test(text) && rows.slice(at, at + LOGO_ROWS).some((row) => WELCOME.test(row.text));
}

/** The kind of a box, from its first rows. */
function boxKind(rows: readonly FrameRow[], at: number): PieceKind {
  const own = rows.slice(at + 1, closedAt(rows, at)).map((row) => inner(row.text));
  if (/^ {1,2}> /.test(own[0] ?? '')) return 'user';
  if (TOOL_GLYPH.test((own[0] ?? '').trimStart())) return 'tools';
  if (own.some((text) => EXIT.test(text))) return 'exit';
  return 'notice';
}

/** A row of a box without its sides. */
export function inner(text: string): string {
  return text.replace(/^ ?│ ?/, '').replace(/ ?│\s*$/, '');
}

/** The row after the end of the piece that starts in row `at`: a box, bars, or typed text without either. */
function closedAt(rows: readonly FrameRow[], at: number): number {
  const first = rows[at]?.text ?? '';
  const isBox = BOX_TOP.test(first);
  const isPlain = !isBox && !BAR_TOP.test(first);
  let to = at + 1;
  for (; to < rows.length; to += 1) {
    const text = rows[to]?.text ?? '';
    if (isBox ? BOX_END.test(text) : BAR_END.test(text)) return to + 1;
    if (isPlain && !/^ {3}\s*\S/.test(text)) return to;
    if (isBox && (!/^ ?[│├]/.test(text) || isOtherBox(first, text))) return to;
    if (BAR_TOP.test(text) || MODEL.test(text) || STATUS.test(text) || (!isBox && BOX_TOP.test(text))) return to;
  }
  return to;
}

/** Whether the row is of a box with another width, which was drawn after a box whose end is lost. */
function isOtherBox(top: string, text: string): boolean {
  const [a, b] = [top.trimEnd(), text.trimEnd()];
  return a.endsWith('╮') && b.endsWith('│') && columnsOf(a) !== columnsOf(b);
}

/** A tool in one row: glyph and a bold name. Without styles, two blanks after the glyph decide. */
function isDense(row: FrameRow | undefined): boolean {
  if (!row || !/^ {2}\S/.test(row.text) || !TOOL_GLYPH.test(row.text.slice(2))) return false;
  if (!/^ {2}\S {2}\S/.test(row.text)) return false;
  return row.spans.length === 1 || row.spans.some((span) => span.bold === true && /^\S/.test(span.text));
}

/** A call without a box: its name is bold. Without styles, only a glyph that lists do not have proves it. */
function isBare(row: FrameRow | undefined): boolean {
  if (!row || !BARE_CALL.test(row.text)) return false;
  if (row.spans.length === 1) return !/^[x-]/.test(row.text);
  return row.spans.some((span) => span.bold === true && /^\s*[A-Z]/.test(span.text));
}

function belongs(rows: readonly FrameRow[], at: number, open: Piece): boolean {
  const text = rows[at]?.text ?? '';
  const isBlank = text.trim() === '';
  // The program wraps its own rows, so a row that the terminal wrapped was drawn for a wider window.
  if (rows[at]?.wrapped && open.to === at && open.kind !== 'none') return true;
  switch (open.kind) {
    case 'welcome':
      return true;
    case 'user':
      return open.to === at && (BAR_END.test(text) || rows[at]?.spans[0]?.bg !== undefined);
    case 'model':
    case 'bare':
      return isBlank || /^ {2}/.test(text);
    case 'dense':
      return isBlank || /^ {3,}/.test(text);
    case 'notice':
      return open.to === at && !isBlank && /^(?: {2}| ?[│╰├])/.test(text);
    case 'none':
      return open.to === at && /^ │/.test(text);
    default:
      return false;
  }
}

/** Text directly below a prompt. */
function isErased(rows: readonly FrameRow[], at: number, open: Piece | undefined): boolean {
  if (open?.kind !== 'user' || open.to !== at || !BAR_END.test(rows[at - 1]?.text ?? '')) return false;
  return /^ {2}\S/.test(rows[at]?.text ?? '');
}

/** Text under nothing, at the very top: the end of an answer or of what was typed whose beginning has scrolled out. */
function headKind(rows: readonly FrameRow[], at: number, open: Piece | undefined): PieceKind {
  const text = rows[at]?.text ?? '';
  if (open || OPTION.test(text)) return 'none';
  if (/^ {3}/.test(text) && rows[at]?.spans.every(({ bg }) => bg !== undefined)) return 'user';
  return /^ {2,3}\S/.test(text) ? 'model' : 'none';
}
