import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { unwrapped } from '../../../markdown/unwrap.ts';
import { backgroundOf } from './looks.ts';
import { DIALOG_HINT, MENU_HINT, MENU_ROW, MENU_TITLE, OPTION, OVERLAY, PLACEHOLDER, QUEUE, STATUS } from './rules.ts';

const COMPOSER = /^[›▌!](?: |$)/;
/** Typed text opens a menu with one of these. */
const MENU_SIGN = /[/@$]/;
const GUTTER = 2;
/** Rows of help, model and warnings below the input box. */
const FOOTER_ROWS = 3;
/** Most rows between the input box and the status row: details, and queued prompts. */
const STATUS_ROWS = 16;
/** Rows of the longest dialog that is searched. */
const DIALOG_ROWS = 60;

export interface Region {
  /** First row below the transcript. */
  readonly end: number;
  readonly below: 'composer' | 'dialog' | 'overlay' | 'nothing';
  readonly isMenuOpen: boolean;
  /** The status row; null if there is none. */
  readonly statusRow: number | null;
  readonly draft?: string;
  /** The input box is in shell mode. */
  readonly isShell?: boolean;
}

/** Finds the end of the transcript and what is below it. */
export function regionOf(snapshot: ChatSnapshot): Region {
  const { rows, screenTop } = snapshot;
  const none = { isMenuOpen: false, statusRow: null };
  const overlay = rows.findIndex((row, at) => at >= screenTop && OVERLAY.test(row.text));
  if (overlay >= 0) return { end: overlay, below: 'overlay', ...none };
  const dialog = dialogTop(rows, screenTop);
  if (dialog !== null) return { end: dialog, below: 'dialog', ...none };
  const composer = composerRow(rows, screenTop);
  if (composer === null) return { end: rows.length, below: 'nothing', ...none };
  const draft = draftOf(snapshot, composer);
  // Rows like those of a menu below which nothing is typed are an answer's.
  const mayHaveMenu = MENU_SIGN.test(draft);
  const menu = mayHaveMenu ? menuTop(rows, composer, screenTop) : composer;
  const statusRow = lastAbove(rows, menu, { screenTop, match: STATUS });
  const queueRow = lastAbove(rows, menu, { screenTop, match: QUEUE });
  const tail = rows.slice(composer + 1);
  return {
    end: statusRow ?? queueRow ?? menu,
    below: 'composer',
    isMenuOpen: menu < composer || (mayHaveMenu && tail.some((row) => MENU_ROW.test(row.text))),
    statusRow,
    draft,
    isShell: (rows[composer]?.text ?? '').startsWith('!'),
  };
}

/** The last row with a prompt sign that has only more typed text, a menu and the footer below it. */
function composerRow(rows: readonly FrameRow[], screenTop: number): number | null {
  for (let at = rows.length - 1; at >= screenTop; at -= 1) {
    const text = rows[at]?.text ?? '';
    if (!COMPOSER.test(text) || OPTION.test(text) || MENU_ROW.test(text)) continue;
    return isLast(rows, at) ? at : null;
  }
  return null;
}

function isLast(rows: readonly FrameRow[], composer: number): boolean {
  let at = draftEnd(rows, composer);
  let footers = 0;
  for (; at < rows.length; at += 1) {
    const text = rows[at]?.text ?? '';
    if (text.trim() === '' || MENU_ROW.test(text)) continue;
    if (!/^ {2}/.test(text) || /^ {2}[└│]/.test(text)) return false;
    footers += 1;
  }
  return footers <= FOOTER_ROWS;
}

/** First row after the typed text. */
function draftEnd(rows: readonly FrameRow[], composer: number): number {
  let at = composer + 1;
  const bg = backgroundOf(rows[composer]);
  while (/^ {2}\S/.test(rows[at]?.text ?? '') && backgroundOf(rows[at]) === bg && !MENU_ROW.test(rows[at]?.text ?? ''))
    at += 1;
  return at;
}

function draftOf({ rows, cols }: ChatSnapshot, composer: number): string {
  const own = rows.slice(composer, draftEnd(rows, composer));
  const typed = own.map((row) => row.text.slice(GUTTER));
  const words = own.flatMap((row, at) =>
    row.spans.filter((span, place) => span.text.trim() !== '' && (at > 0 || place > 0)),
  );
  const isHint = words.length > 0 && words.every((span) => span.dim);
  const text = unwrapped(typed, cols - GUTTER);
  return isHint || PLACEHOLDER.test(text) ? '' : text;
}

/** First row of the menu above the input box; the input box's row if there is no menu. */
function menuTop(rows: readonly FrameRow[], composer: number, screenTop: number): number {
  const blankAbove = (from: number) => {
    let at = from;
    while (at >= screenTop && (rows[at]?.text ?? '').trim() === '') at -= 1;
    return at;
  };
  let at = blankAbove(composer - 1);
  if (MENU_HINT.test(rows[at]?.text ?? '')) {
    const title = rows.findLastIndex(({ text }, row) => row < at && row >= screenTop && MENU_TITLE.test(text));
    if (title >= 0) return title;
    at = blankAbove(at - 1);
  }
  if (!MENU_ROW.test(rows[at]?.text ?? '')) return composer;
  while (at > screenTop && MENU_ROW.test(rows[at - 1]?.text ?? '')) at -= 1;
  return at;
}

function lastAbove(
  rows: readonly FrameRow[],
  end: number,
  { screenTop, match }: { screenTop: number; match: RegExp },
): number | null {
  for (let at = end - 1; at >= Math.max(screenTop, end - STATUS_ROWS); at -= 1) {
    if (match.test(rows[at]?.text ?? '')) return at;
  }
  return null;
}

/** First row of the dialog at the bottom of the screen, below two blank rows. Null if there is no dialog. */
function dialogTop(rows: readonly FrameRow[], screenTop: number): number | null {
  let hint = rows.length - 1;
  while (hint >= screenTop && (rows[hint]?.text ?? '').trim() === '') hint -= 1;
  if (!isHint(rows, hint)) return null;
  let top: number | null = null;
  let hasOption = false;
  for (let at = hint; at >= Math.max(screenTop, hint - DIALOG_ROWS); at -= 1) {
    const text = rows[at]?.text ?? '';
    const isBlank = text.trim() === '';
    if (OPTION.test(text)) hasOption = true;
    if (isBlank && (rows[at - 1]?.text ?? '').trim() === '' && hasOption && hasQuestion(rows, at, hint)) break;
    if (/^[•■✔✗]|^\/ /.test(text)) break;
    if (!isBlank) top = at;
  }
  return hasOption ? top : null;
}

/** In a narrow window, the hint takes two rows. */
function isHint(rows: readonly FrameRow[], at: number): boolean {
  const [before = '', text = ''] = rows.slice(Math.max(0, at - 1), at + 1).map((row) => row.text.trimEnd());
  return DIALOG_HINT.test(text) || DIALOG_HINT.test(`${before} ${text.trimStart()}`);
}

/** A dialog also has blank rows between its parts, so its title must be above the first option. */
function hasQuestion(rows: readonly FrameRow[], from: number, to: number): boolean {
  const first = rows.slice(from, to).find((row) => row.text.trim() !== '');
  return first !== undefined && !OPTION.test(first.text);
}
