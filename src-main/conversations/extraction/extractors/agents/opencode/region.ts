import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import { HEADER, isOverlayTop } from './rules.ts';

const BOX_END = /^ *╹▀{8,}/;
const BAR_ROW = /^ *┃/;
const MENU_ROW = /^ *┃ .*┃\s*$/;
const DIALOG = /^ *┃\s+△ |^ *┃.*\besc dismiss/;

export interface Region {
  /** First row below the conversation. */
  readonly end: number;
  /** First row of the box or dialog; a menu may be between `end` and it. */
  readonly top: number;
  /** First row below it. */
  readonly bottom: number;
  readonly below: 'input' | 'dialog' | 'overlay' | 'nothing';
}

/** First rows that may have the header's title. */
const HEADER_ROWS = 3;

/** First row of the screen below the header and its empty row, which do not scroll; 0 if there is no header. */
export function headerEnd(screen: readonly { readonly text: string }[]): number {
  const title = screen.slice(0, HEADER_ROWS).findIndex(({ text }) => HEADER.test(text));
  if (title < 0) return 0;
  let end = title;
  while (BAR_ROW.test(screen[end]?.text ?? '')) end += 1;
  return end + 1;
}

/** Finds the end of the conversation and what is below it. */
export function regionOf({ rows, screenTop }: ChatSnapshot): Region {
  const texts = rows.map((row) => row.text);
  const nothing = { end: texts.length, top: texts.length, bottom: texts.length };
  if (rows.slice(screenTop).some(isOverlayTop)) return { ...nothing, below: 'overlay' };
  const boxEnd = lastIndex(texts, screenTop, BOX_END);
  if (boxEnd >= 0) {
    const bar = (texts[boxEnd] ?? '').indexOf('╹');
    let top = boxEnd;
    while (top > screenTop && texts[top - 1]?.[bar] === '┃' && !MENU_ROW.test(texts[top - 1] ?? '')) top -= 1;
    let end = top;
    while (end > screenTop && MENU_ROW.test(texts[end - 1] ?? '')) end -= 1;
    return { end, top, bottom: boxEnd, below: 'input' };
  }
  const bottom = lastIndex(texts, screenTop, /\S/) + 1;
  let top = bottom;
  while (top > screenTop && BAR_ROW.test(texts[top - 1] ?? '')) top -= 1;
  const isDialog = texts.slice(top, bottom).some((text) => DIALOG.test(text));
  return isDialog ? { end: top, top, bottom, below: 'dialog' } : { ...nothing, below: 'nothing' };
}

/** The typed text: all rows of the box except the one that names the model. */
export function boxLines({ rows }: ChatSnapshot, { top, bottom }: Region): string[] {
  const lines = rows.slice(top, bottom).map(({ text }) => text.replace(BAR_ROW, '').trim());
  return lines.slice(0, -1);
}

function lastIndex(texts: readonly string[], from: number, match: RegExp): number {
  for (let at = texts.length - 1; at >= from; at -= 1) if (match.test(texts[at] ?? '')) return at;
  return -1;
}
