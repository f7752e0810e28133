import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import { BUSY, TABS, WELCOME } from './rules.ts';

const RULE = /^─{8,}\s*$/;
/** Edges of the input box, if the terminal has reported its colours. */
const BAR_TOP = /^╻▄{8,}\s*$/;
const BAR_END = /^╹▀{8,}\s*$/;
const BOX_TOP = /^ ?╭─{8,}╮\s*$/;
const BOX_END = /^ ?╰─{8,}╯\s*$/;
const TYPED = /^([❯!>┃]| │ >)(\s|$)/;
/** A narrow window shows commands without their descriptions. */
const MENU_ROW = /^\s*(┃\s*)?([❯▎] )?\/[\w-]+( \w+)?\s{2,}\S|^ {2}❯ \/[\w-]+|^ {4}\/[\w-]+\s*$/;
/** The folder, with the branch if there is one. */
const FOLDER = /^ (\/|~|[A-Z]:\\)\S*.*$/;

export interface Region {
  /** Rows of the conversation, `end` left out. */
  readonly start: number;
  readonly end: number;
  /** The upper edge of the input box or dialog; its lower one. */
  readonly top: number;
  readonly bottom: number;
  readonly below: 'input' | 'dialog' | 'nothing';
  readonly isMenuOpen: boolean;
}

/** Finds the rows of the conversation and what is below it. */
export function regionOf({ rows, screenTop }: ChatSnapshot): Region {
  const texts = rows.map(({ text }) => text);
  const start = TABS.test(texts[screenTop] ?? '') && screenTop === 0 ? 1 : 0;
  const nothing = {
    start,
    end: texts.length,
    top: texts.length,
    bottom: texts.length,
    isMenuOpen: false,
    below: 'nothing' as const,
  };
  const isBarred = lastIndex(texts, screenTop, texts.length, BAR_END) >= 0;
  const bottom = lastIndex(texts, screenTop, texts.length, isBarred ? BAR_END : RULE);
  const top = lastIndex(texts, screenTop, bottom, isBarred ? BAR_TOP : RULE);
  if (bottom >= 0 && top >= 0 && TYPED.test(texts[top + 1] ?? '')) {
    const { end, isMenuOpen } = aboveBox(texts, screenTop, top);
    return { start, end, top, bottom, below: 'input', isMenuOpen };
  }
  return { ...nothing, ...boxed(texts, screenTop) };
}

/** The dialog at the end, or the input box of versions before 1.0: both are boxes. */
function boxed(texts: readonly string[], from: number): Partial<Region> {
  const bottom = lastIndex(texts, from, texts.length, BOX_END);
  // Boxes in the dialog are indented, so the lowest upper edge with this indent is the dialog's.
  const indent = (texts[bottom] ?? '').indexOf('╰');
  let top = bottom;
  while (top >= from && !(BOX_TOP.test(texts[top] ?? '') && texts[top]?.indexOf('╭') === indent)) top -= 1;
  const isWelcome = texts.slice(Math.max(top, 0), bottom + 1).some((text) => WELCOME.test(text) || /▔{4}/.test(text));
  if (bottom < 0 || top < from || isWelcome) return {};
  if (!TYPED.test(texts[top + 1] ?? '')) return { end: top, top, bottom, below: 'dialog' };
  return { ...aboveBox(texts, from, top), top, bottom, below: 'input' };
}

/** The end of the conversation above the input box; the folder or a menu of commands is between them. */
function aboveBox(texts: readonly string[], from: number, top: number): { end: number; isMenuOpen: boolean } {
  if (FOLDER.test(texts[top - 1] ?? '')) return { end: aboveStatus(texts, from, top - 1), isMenuOpen: false };
  let end = top;
  let menuTop = top;
  for (; end > from; end -= 1) {
    const text = texts[end - 1] ?? '';
    if (MENU_ROW.test(text)) menuTop = end - 1;
    else if (text.trim() !== '') break;
  }
  const isMenuOpen = menuTop < top;
  return { end: isMenuOpen && FOLDER.test(texts[menuTop - 1] ?? '') ? menuTop - 1 : menuTop, isMenuOpen };
}

/** Up to 1.0.24, the status row is above the folder, where an answer may be as well. */
function aboveStatus(texts: readonly string[], from: number, folder: number): number {
  let end = folder;
  while (end > from && texts[end - 1]?.trim() === '') end -= 1;
  return BUSY.test(texts[end - 1] ?? '') ? end - 1 : folder;
}

function lastIndex(texts: readonly string[], from: number, to: number, match: RegExp): number {
  for (let at = to - 1; at >= from; at -= 1) if (match.test(texts[at] ?? '')) return at;
  return -1;
}
