import type { SgrColor, StyledSpan } from '../../../../../contract/block.ts';
import type { ChatTool } from '../../../../../contract/chat/chat.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { joinedLooks, type Looks } from '../../../markdown/inline.ts';

/** Numbers and dashes of lists, which have their own colour. */
const LIST_MARK = /^\s*(?:\d{1,3}[.)]?|[.)]|[-*•])\s*$/;

/** A list's marks as drawn: in a block of code a dash would be in their place. */
const DRAWN_MARK = /^\s*(?:•|\d{1,3}\.)\s*$/;

/**
 * Its colours come from a theme that the person chooses, so only their place counts: prose has no colour, coloured words in it that are
 * neither bold nor a link are code, and rows in which everything is coloured are a block of code.
 */
export const LOOKS: Looks = {
  isCode: (fg, span) => fg !== undefined && !span?.bold && !span?.underline && !span?.italic && !isListMark(span),
  isSyntax: () => false,
  isCodeBlock,
  headingLevel: () => 0,
};

function isListMark(span: StyledSpan | undefined): boolean {
  return span !== undefined && LIST_MARK.test(span.text);
}

function isCodeBlock(rows: readonly FrameRow[]): boolean {
  const own = rows.map((row) => joinedLooks(row.spans).filter(({ text }) => text.trim() !== ''));
  if (own.every(([mark]) => mark?.fg !== undefined && DRAWN_MARK.test(mark.text))) return false;
  const spans = own.flat();
  if (!spans.every(({ fg, bold, underline }) => fg !== undefined && !bold && !underline)) return false;
  // A row of inline code alone has one colour; two rows of it would be one paragraph and joined.
  return rows.length > 1 || new Set(spans.map(({ fg }) => fg)).size > 1;
}

/** The status that the colour of a call's bullet shows: the terminal's green and red. */
export function bulletStatus(fg: SgrColor | undefined): ChatTool['status'] {
  if (fg === 2) return 'done';
  return fg === 1 ? 'failed' : undefined;
}

/** A thought is dim and in italics from its first word to its last. */
export function isThought(row: FrameRow): boolean {
  const own = row.spans.filter(({ text }) => text.trim() !== '' && text.trim() !== '•');
  return own.length > 0 && own.every(({ dim, italic }) => dim === true && italic === true);
}

/** The background of a row: typed text has its own, if the terminal has reported its colours. */
export function backgroundOf(row: FrameRow | undefined): SgrColor | undefined {
  return row?.spans[0]?.bg;
}
