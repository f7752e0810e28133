import type { ChatSnapshot, ShownQuestion } from '../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../contract/screen/frame.ts';
import { dialogText, dialogTop } from './dialogRows.ts';
import { type OptionsFound, optionsAcross, optionsBelow, reviewedAnswers, withHighlight } from './findOptions.ts';
import {
  answerKeys,
  indentOf,
  isBoxEnd,
  isEdge,
  isFramed,
  isMoreRows,
  isWaitingRow,
  isWrapped,
  unframed,
} from './rowShapes.ts';

/** Rows of keys below the options; they wrap in a narrow window. */
const KEY_ROWS = 4;
/** Status rows that some programs keep below a box. */
const FOOTER_ROWS = 4;
/** Pointers with which no other row at the bottom of a screen begins. */
const SURE_POINTERS = '❯›';
/** Finds a row of pages above the question, or the key for the next page below it. */
const PAGES = /^\s*←\s.*[☐☒☑✔].*→\s*$|^\s*[│┃]?\s*⇆ tab\b/;
const PROMPT = /^\s{0,2}[❯›>!*$](?:\s|$)/;

/** A question at the bottom of the screen that a person answers with keys. Rows are indexes into the snapshot's rows. */
export interface Dialog extends ShownQuestion {
  readonly from: number;
  /** First row below it. */
  readonly to: number;
  /** The question and its subject, then the options, without frames and keys. */
  readonly text: string;
  /** `text` without the options. */
  readonly about: string;
  /** The options are beside each other: left and right move between them. */
  readonly isAcross: boolean;
  /** True if Tab shows the next page. The last page shows the answers and sends them. */
  readonly isPaged: boolean;
  /** Keys are named below the options, which only questions have. */
  readonly isSure: boolean;
}

interface Tail {
  readonly keys: number;
  readonly isBoxed: boolean;
  readonly isTaller: boolean;
}

/**
 * Finds the question at the bottom of the screen by its shape alone: options in a column, one with a pointer or all with numbers, and below
 * them keys, the end of a box, or nothing. Does not depend on the agent. Null if there is no question.
 */
export function findDialog({ rows, screenTop, cols }: ChatSnapshot): Dialog | null {
  const own = rows.slice(screenTop);
  const texts = own.map(({ text }) => text);
  const listed = optionsBelow(texts, cols) ?? optionsAcross(own) ?? reviewedAnswers(texts);
  if (listed === null) return null;
  const found = withHighlight(own, listed);
  const tail = tailOf(texts, found, cols);
  if (tail === null || !isQuestion(own, found, tail)) return null;
  const top = tail.isTaller ? 0 : dialogTop(texts, found.first);
  const above = tail.isTaller ? '…\n' : '';
  return {
    from: screenTop + top,
    to: rows.length,
    text: above + dialogText(texts.slice(top), found),
    about: above + dialogText(texts.slice(top, found.first), found),
    isAcross: found.isAcross,
    options: found.options.map(({ label }) => label),
    pointed: pointedIn(found),
    firstNumber: found.options[0]?.number ?? null,
    isPaged: texts.slice(top).some((text) => PAGES.test(text)),
    isSure: tail.keys > 0,
  };
}

function pointedIn({ options }: OptionsFound): number | null {
  const at = options.findIndex(({ pointer }) => pointer !== null);
  return at < 0 ? null : at;
}

/** Reads the rows below the options; null if they have more than a question has there. */
function tailOf(texts: readonly string[], { last, col, isAcross }: OptionsFound, cols: number): Tail | null {
  const keys: string[] = isAcross ? [texts[last] ?? ''] : [];
  const hasFrame = isFramed(texts[last] ?? '');
  let isBoxed = false;
  let isTaller = false;
  let footers = 0;
  let above = '';
  for (const text of texts.slice(last + 1)) {
    const inner = unframed(text);
    if (
      inner.trim() === '' ||
      isWaitingRow(inner) ||
      (hasFrame && !isBoxed && isFramed(text) && answerKeys(inner) === 0)
    )
      continue;
    if (isMoreRows(inner)) isTaller = true;
    else if (isEdge(text)) isBoxed ||= isBoxEnd(text);
    else if (PROMPT.test(inner)) return null;
    else if (isBoxed && answerKeys(inner) === 0) footers += 1;
    else if (keys.length === 0 && answerKeys(inner) === 0 && indentOf(inner) > col)
      continue; // the option continues
    else if (isWrapped(above, inner, cols)) keys.push(`${keys.pop() ?? ''} ${inner.trim()}`);
    else keys.push(inner.trim());
    above = inner;
  }
  const named = answerKeys(keys.join(' '));
  if (keys.length > KEY_ROWS || footers > FOOTER_ROWS || keys.some((line) => answerKeys(line) === 0)) return null;
  return { keys: named, isBoxed: isBoxed && hasFrame, isTaller };
}

function isQuestion(rows: readonly FrameRow[], found: OptionsFound, { keys, isBoxed }: Tail): boolean {
  const pointers = found.options.filter(({ pointer }) => pointer !== null);
  if (pointers.length > 1) return false;
  if (found.isAcross || !found.isNumbered) return keys > 0;
  if (pointers.length === 0) return keys > 1;
  if (keys > 0 || isBoxed) return true;
  const [pointed] = pointers;
  const at = found.first + found.rowsOf(pointed);
  return SURE_POINTERS.includes(pointed?.pointer ?? '') && !isTyped(rows, at);
}

/** Whether the row is typed text: it has its own background, or is directly below the edge of a box. */
function isTyped(rows: readonly FrameRow[], at: number): boolean {
  const spans = rows[at]?.spans.filter(({ text }) => text.trim() !== '') ?? [];
  return spans.some(({ bg }) => bg !== undefined) || isEdge(rows[at - 1]?.text ?? '');
}
