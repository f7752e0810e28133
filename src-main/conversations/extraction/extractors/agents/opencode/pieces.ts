import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { BAR_COL, type Bar, barOf, isCallColor } from './looks.ts';
import { HEADER } from './rules.ts';

export type PieceKind = 'user' | 'model' | 'summary' | 'inlineCall' | 'blockCall' | 'error' | 'interrupted' | 'none';

/** Adjacent rows of one kind, from `from` to before `to`. */
export interface Piece {
  readonly kind: PieceKind;
  readonly from: number;
  to: number;
}

const INDENT = 5;
/** The line above the summary of a conversation that was compacted, and the one below it. */
const COMPACTED = /^ {2}─+ Compaction ─+\s*$/;
const COMPACTED_END = /^ {5}▣ {2}Compaction · /;
const TURN_END = /^ {5}▣ {2}/;
/** The end of a turn in old versions: the agent's name and the model's, in two colours. */
const OLD_END = /^ {5}(Build|Plan) [\w.-]+\s*$/;
/** Its thoughts: folded, or while they stream. */
const THOUGHT = /^ {5}(?:[+-] Thought: (?:.* · )?\d[\d.]*(?:ms|s|m)\b|[\u2800-\u28ff] Thinking\b)/;
/** A call that is not known yet; an answer may begin a line with the same sign. */
const PENDING = /^ {5}~ .*(?:…|\.{3})\s*$/;
/** The sign of a call's kind; a spinner while it runs. */
const TOOL_GLYPH = /^ {5}([$→←✱%◇◈⚙◉│✗\u2800-\u28ff]) \S/;
const BLOCK_TOOL = /^(# |\$ )/;

/** Cuts the rows up to `end` into pieces. */
export function piecesOf(rows: readonly FrameRow[], end: number): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < end) {
    const row = rows[at];
    const open = pieces.at(-1);
    if (!row || row.text.trim() === '') at += 1;
    else if (row.text[BAR_COL] === '┃' && row.text.trimStart().startsWith('┃')) {
      const to = blockEnd(rows, at, end);
      pieces.push({ kind: blockKind(rows.slice(at, to)), from: at, to });
      at = to;
    } else {
      const isRest = isRestOfEnd(rows, open, at);
      const kind = isRest ? endKind(row) : kindOf(row);
      const isMore =
        isRest || (kind === 'model' && open?.kind === 'model') || (open?.kind === 'inlineCall' && open.to === at);
      if (open && isMore && (kind === 'model' || kind === 'none')) open.to = at + 1;
      else pieces.push({ kind, from: at, to: at + 1 });
      at += 1;
    }
  }
  return pieces.map((piece, at) => {
    const [above, below] = [pieces[at - 1], pieces[at + 1]].map((next) => (next ? (rows[next.from]?.text ?? '') : ''));
    const isSummary = COMPACTED.test(above ?? '') || COMPACTED_END.test(below ?? '');
    return piece.kind === 'model' && isSummary ? { ...piece, kind: 'summary' } : piece;
  });
}

/** A block ends where its bar ends or changes. */
function blockEnd(rows: readonly FrameRow[], from: number, end: number): number {
  const first = rows[from];
  const bar = first ? barOf(first) : 'plain';
  let to = from + 1;
  while (to < end && rows[to]?.text[BAR_COL] === '┃' && barOf(rows[to] as FrameRow) === bar) to += 1;
  return to;
}

/** The lines of a block without its bar. */
export function blockLines(rows: readonly FrameRow[]): string[] {
  return rows.map(({ text }) => text.slice(BAR_COL + 1).trimEnd());
}

function blockKind(rows: readonly FrameRow[]): PieceKind {
  const [first] = rows;
  const line = blockLines(rows)
    .find((text) => text !== '')
    ?.trim();
  const isAside = line === undefined || line.startsWith('Thinking: ') || rows.some(({ text }) => HEADER.test(text));
  if (!first || isAside) return 'none';
  const kinds: Record<Bar, PieceKind> = {
    tool: 'blockCall',
    error: 'error',
    speaker: 'user',
    plain: BLOCK_TOOL.test(line) ? 'blockCall' : 'user',
  };
  return kinds[barOf(first)];
}

/** Whether row `at` continues the line that ends a turn, which a narrow window breaks. The next message is separated from it. */
function isRestOfEnd(rows: readonly FrameRow[], open: Piece | undefined, at: number): boolean {
  return open?.to === at && open.kind === 'none' && isTurnEnd(rows[open.from]);
}

function isTurnEnd(row: FrameRow | undefined): boolean {
  if (!row || TURN_END.test(row.text)) return row !== undefined;
  if (!OLD_END.test(row.text)) return false;
  return row.spans.length === 1 || row.spans.filter(({ text }) => text.trim() !== '').length > 1;
}

function endKind({ text }: FrameRow): PieceKind {
  return /(^ *|· )interrupted\s*$/.test(text) ? 'interrupted' : 'none';
}

function kindOf(row: FrameRow): PieceKind {
  if (isTurnEnd(row)) return endKind(row);
  if (PENDING.test(row.text) || THOUGHT.test(row.text)) return 'none';
  if (isInlineCall(row)) return 'inlineCall';
  return row.text.startsWith(' '.repeat(INDENT)) ? 'model' : 'none';
}

/**
 * Since 1.17, a call's sign and its words are separate spans; in prose both are one span. Up to 1.16 they had a call's colour. A quote's
 * words are in italics and, from the first letter on, in another colour than its bar; a call's words have its sign's colour. Without
 * styles, only the shape decides.
 */
function isInlineCall({ text, spans }: FrameRow): boolean {
  const glyph = TOOL_GLYPH.exec(text)?.[1];
  if (glyph === undefined) return false;
  if (spans.length === 1) return true;
  const at = spans.findIndex((span) => span.text.trim() !== '');
  if (spans[at]?.text.startsWith(`${glyph} `)) return isCallColor(spans[at]);
  const [sign, words] = [spans[at], spans[at + 2]];
  const isQuote = glyph === '│' && (words?.italic === true || words?.fg !== sign?.fg);
  return sign?.text === glyph && spans[at + 1]?.text === ' ' && sign.bold !== true && !isQuote;
}
