import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { unwrapped } from '../../../markdown/unwrap.ts';
import { isGrey } from './looks.ts';
import { DIALOG_HINT, EFFORT, OVERLAY } from './rules.ts';

const RULE = /^(─{8}|╭─{8,}╮\s*$)/;
const BOX_END = /^(─{8}|╰─{8,}╯\s*$)/;
const PROMPT = /^(│ )?[❯>!](\s|$)/;
const SHELL = /^(│ )?!/;
/** `/name  description`, as in the menu of commands. A narrow terminal cuts the start of a long name. */
const MENU_ROW = /^\s*(❯ )?[/…][\w:-]+\s{2,}\S/;
/** More of a description. It begins in column 24, and further left in a narrow terminal (20 of 44 columns). */
const MENU_MORE = /^\s{12,}\S/;
/** A file or agent in the menu of `@`; lists in an answer have dashes. */
const MENTION_ROW = /^ {2,4}[+*◇] \S/;
const MENTION = /(?:^|\s)@\S*$/;

/** Columns of the glyph and space before typed text. */
const GUTTER = 2;
const HINT = /^Try "/;

export interface Region {
  /** First row below the transcript. */
  readonly end: number;
  readonly below: 'input' | 'dialog' | 'overlay' | 'nothing';
  readonly isMenuOpen: boolean;
  readonly draft?: string;
  /** The input box is in shell mode. */
  readonly isShell?: boolean;
}

/** Finds the end of the transcript and what is below it. */
export function regionOf({ rows, screenTop, cols }: ChatSnapshot): Region {
  const texts = rows.map((row) => row.text);
  let last = texts.length - 1;
  while (last >= screenTop && !BOX_END.test(texts[last] ?? '')) last -= 1;
  if (last < screenTop) return { end: behindText(texts, screenTop), below: 'nothing', isMenuOpen: false };
  const after = texts.slice(last + 1);
  if (after.some((text) => OVERLAY.test(text))) return { end: last, below: 'overlay', isMenuOpen: false };
  const top = boxTop(texts, last, screenTop);
  if (top === null) return { end: last, below: isDialog(after) ? 'dialog' : 'nothing', isMenuOpen: false };
  const draft = draftOf(rows.slice(top + 1, last), cols);
  const menuRow = MENTION.test(draft) ? MENTION_ROW : MENU_ROW;
  // A menu touches the box. Rows like those of a menu with a blank row below them are an answer's.
  const isFlush = texts[top - 1]?.trim() !== '';
  const behind = behindText(texts.slice(0, top), screenTop);
  const end = isFlush ? menuTop(texts, { end: behind, screenTop, menuRow }) : behind;
  const menu = texts.slice(end, top).concat(after);
  const isMenuOpen = (/^[/@]/.test(draft) || MENTION.test(draft)) && menu.some((text) => menuRow.test(text));
  return { end, below: 'input', isMenuOpen, draft, isShell: SHELL.test(texts[top + 1] ?? '') };
}

/** The upper edge of the input box whose lower edge is `last`; null if `last` is the edge of something else. */
function boxTop(texts: readonly string[], last: number, screenTop: number): number | null {
  for (let at = last - 1; at >= screenTop; at -= 1) {
    if (RULE.test(texts[at] ?? '')) return PROMPT.test(texts[at + 1] ?? '') ? at : null;
  }
  return null;
}

/** The typed text; '' if the box shows only a hint, which is pale from its second character on. */
function draftOf(rows: readonly FrameRow[], cols: number): string {
  const words = rows.flatMap((row, at) => row.spans.slice(at === 0 ? 1 : 0));
  const pale = words.filter(({ text, inverse }) => text.trim() !== '' && !(inverse && text.length === 1));
  const isHint = pale.length > 0 && pale.every(({ dim, fg }) => dim === true || isGrey(fg));
  const lines = rows.map((row) => row.text.replace(/^│ (.*?)\s*│\s*$/, '$1').slice(GUTTER));
  const text = unwrapped(lines, cols - GUTTER);
  return isHint || HINT.test(text) ? '' : text;
}

function isDialog(after: readonly string[]): boolean {
  return after.some((text) => DIALOG_HINT.test(text));
}

/** The row after the last row of text. */
function behindText(texts: readonly string[], screenTop: number): number {
  let end = texts.length;
  while (end > screenTop && (EFFORT.test(texts[end - 1] ?? '') || texts[end - 1]?.trim() === '')) end -= 1;
  return end;
}

/** First row of the menu that ends before row `end`; `end` if there is no menu. */
function menuTop(
  texts: readonly string[],
  { end, screenTop, menuRow }: { end: number; screenTop: number; menuRow: RegExp },
): number {
  let top = end;
  for (let at = end - 1; at >= screenTop; at -= 1) {
    const text = texts[at] ?? '';
    if (menuRow.test(text)) top = at;
    else if (!MENU_MORE.test(text)) break;
  }
  return top;
}
