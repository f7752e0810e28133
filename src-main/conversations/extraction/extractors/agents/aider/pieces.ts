import type { FrameRow } from '../../../../../contract/screen/frame.ts';

export type PieceKind = 'welcome' | 'user' | 'model' | 'ask' | 'notice' | 'none';

/** Adjacent rows of one kind, from `from` to before `to`. */
export interface Piece {
  readonly kind: PieceKind;
  readonly from: number;
  to: number;
}

export const RULE = /^─{20,}\s*$/;
/** `> `, with or without the mode before it. */
export const PROMPT = /^(?:(?:ask|architect|code|help|context|multi|diff|whole)(?: multi)?)?> ?/;
export const ASK = /\(Y\)es\/\(N\)o.*\]:/;
const WELCOME = /^Aider v\d+\.\d+/;
const SPENT = /^Tokens: \S+ sent,/;
const NOTICE =
  /^(Applied edit to |Commit [0-9a-f]{7,} |Added \S+ to the chat|Removed \S+ from the chat|Dropping |Skipping edits|The LLM did not conform|Only \d+ reflections|Git repo: |Repo-map: |Weak model: )/;
const HINT = /^(You can use \/undo|Use \/help |https:\/\/aider\.chat\/|Did you mean)/;
const WAITING = /^\s*[░█▒▓]+ .*\bWaiting for |^Waiting for \S+/;
/** Names of the files in the chat, in columns. */
const FILES = /^(Readonly: )?[^\s>]+( \(read only\))?(\s{2,}[^\s>]+)*\s*$/;

/** Cuts rows into pieces. Typed text is below a rule, below the names of files under a rule, or at the very start. */
export function piecesOf(rows: readonly FrameRow[]): Piece[] {
  const pieces: Piece[] = [];
  rows.forEach(({ text }, at) => {
    const open = pieces.at(-1);
    if (text.trim() === '') return;
    const kind = startOf(rows, at, open);
    if (kind !== null) pieces.push({ kind, from: at, to: at + 1 });
    else if (open) open.to = at + 1;
  });
  return headKnown(rows, pieces);
}

/** Text at the top is the end of an answer if its cost is below it; if not, it may be any text. */
function headKnown(rows: readonly FrameRow[], pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece, at) => {
    if (at > 0 || piece.kind !== 'model') return piece;
    const next = pieces.slice(1).find(({ kind, from }) => kind !== 'none' || SPENT.test(rows[from]?.text ?? ''));
    return next?.kind === 'none' || next?.kind === 'ask' ? piece : { ...piece, kind: 'none' };
  });
}

/** Kind of the piece that starts in row `at`; null for a row that continues `open`. */
function startOf(rows: readonly FrameRow[], at: number, open: Piece | undefined): PieceKind | null {
  const text = rows[at]?.text ?? '';
  if (RULE.test(text) || HINT.test(text) || WAITING.test(text) || SPENT.test(text)) return 'none';
  if (WELCOME.test(text)) return 'welcome';
  if (open?.kind === 'welcome') return null;
  if (PROMPT.test(text) && open?.kind === 'user' && open.to === at) return null;
  if (PROMPT.test(text) && isBelowRule(rows, at)) return 'user';
  if (ASK.test(text))
    return open?.kind === 'ask' && open.to === at && !ASK.test(rows[at - 1]?.text ?? '') ? null : 'ask';
  if (NOTICE.test(text)) return 'notice';
  if (open?.kind === 'notice' && open.to === at) return null;
  // The question is about the file named in the row above it.
  if (ASK.test(rows[at + 1]?.text ?? '') && FILES.test(text)) return 'ask';
  if (isFileList(rows, at)) return 'none';
  return open?.kind === 'model' ? null : 'model';
}

/** Whether row `at` is below a rule or at the very top; names of files may be between. */
function isBelowRule(rows: readonly FrameRow[], at: number): boolean {
  for (let above = at - 1; above >= 0; above -= 1) {
    const text = rows[above]?.text ?? '';
    if (RULE.test(text)) return true;
    if (text.trim() !== '' && !FILES.test(text)) return false;
  }
  return true;
}

function isFileList(rows: readonly FrameRow[], at: number): boolean {
  const text = rows[at]?.text ?? '';
  const above = rows[at - 1]?.text ?? '';
  return FILES.test(text) && at > 0 && (RULE.test(above) || isFileList(rows, at - 1));
}
