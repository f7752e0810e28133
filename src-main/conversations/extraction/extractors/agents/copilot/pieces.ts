import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { NOTICE, TABS, THOUGHT, TIP, WELCOME } from './rules.ts';

export type PieceKind = 'welcome' | 'user' | 'model' | 'call' | 'notice' | 'headless' | 'none';

/** Adjacent rows of one kind, from `from` to before `to`. */
export interface Piece {
  readonly kind: PieceKind;
  readonly from: number;
  to: number;
}

/** Indented by one more column between bars, if the terminal has reported its colours. */
export const USER = /^ {1,2}❯ \S/;
/** Below a prompt, if the terminal has reported its colours. */
const BOX_END = /^ {1,2}▀{8,}/;
const SAID = /^ [●⏺] /;
/** A row of an answer in words, which may quote the program's greeting. */
const SAID_ROW = /^ {3,}[\p{L}\d]/u;
const WARNING = /^ ! \S/;
/** In a box up to 1.0.24. */
const LOGO = /^\s*│?\s*(╭─╮|╰─╯|█ |▔▔)/;
/** A sign of one or two characters, the tool's name, its subject. */
const CALL = /^ (?:[^\s\w●❯!]|[A-Z]{2}) ([A-Z][\w-]*)( |$)/;

/** Up to 1.0.49 a command is shown by its purpose, not by its text. */
const SHELL = / \((?:shell|bash|powershell)\)\s*$/;

/** Cuts the rows from `start` to `end` into pieces. Each piece has its sign in the second column; its other rows are indented. */
export function piecesOf(rows: readonly FrameRow[], start: number, end: number): Piece[] {
  const pieces: Piece[] = [];
  for (let at = start; at < end; at += 1) {
    const row = rows[at];
    const open = pieces.at(-1);
    if (!row || row.text.trim() === '') continue;
    const kind = startOf(row, open);
    if (kind !== null) pieces.push({ kind, from: at, to: at + 1 });
    else if (open) open.to = at + 1;
    else pieces.push({ kind: /^ {3}/.test(row.text) ? 'headless' : 'none', from: at, to: at + 1 });
  }
  return headKnown(pieces, rows);
}

/**
 * Rows without a sign at the very top are the end of a prompt if the lower edge of its box is directly below. If not, they are the end of
 * an answer, unless a note of the program is below: then they may be part of a note too.
 */
function headKnown([head, ...more]: readonly Piece[], rows: readonly FrameRow[]): Piece[] {
  if (head?.kind !== 'headless') return head ? [head, ...more] : [];
  const [next] = more;
  if (next && BOX_END.test(rows[next.from]?.text ?? '')) return [{ ...head, kind: 'user' }, ...more];
  return [{ ...head, kind: next?.kind === 'notice' || next?.kind === 'none' ? 'none' : 'model' }, ...more];
}

/** Kind of the piece that starts in `row`; null for a row that continues `open`. */
function startOf(row: FrameRow, open: Piece | undefined): PieceKind | null {
  const { text } = row;
  if (TABS.test(text)) return 'none';
  if (open?.kind === 'welcome' && /^ ?\S/.test(text) && !SAID.test(text) && !USER.test(text)) return null;
  if (open?.kind === 'model' && SAID_ROW.test(text)) return null;
  if (LOGO.test(text) || WELCOME.test(text)) return open?.kind === 'welcome' ? null : 'welcome';
  if (THOUGHT.test(text)) return 'none';
  if (USER.test(text)) return 'user';
  if (WARNING.test(text)) return 'notice';
  if (isCall(row)) return 'call';
  if (!SAID.test(text)) return /^ {2,}/.test(text) ? null : 'none';
  const words = text.slice(3);
  if (TIP.test(words)) return 'none';
  return NOTICE.test(words) ? 'notice' : 'model';
}

/** The name of a tool and the space after it are bold; without styles, only the shape decides. */
function isCall({ text, spans }: FrameRow): boolean {
  if (spans.length === 1) return CALL.test(text) || (SAID.test(text) && SHELL.test(text));
  if (!/^ \S{1,2} \S/.test(text)) return false;
  const name = SHELL.test(text) ? /^[A-Z].* $/ : /^[A-Z][\w-]* $/;
  const bold = spans.filter((span) => span.bold && name.test(span.text));
  const sign = /^ \S{1,2} /.exec(text)?.[0] ?? '';
  return bold.length > 0 && text.slice(sign.length).startsWith(bold[0]?.text ?? '\n');
}
