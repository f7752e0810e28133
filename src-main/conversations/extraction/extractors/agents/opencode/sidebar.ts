import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { columnsOf, cutColumns } from '../../../markdown/spans.ts';

/** A window up to this width has no column beside the conversation. */
const NARROW_COLS = 120;
/** Columns between an edge and the text within it. */
const PADDING = 2;
/** The lower edge of the input box below the conversation. */
const BOX_EDGE = /^ {2}╹▀{8,}/;
/** A scroll bar may be at its edge. */
const HEADING = /(?<=\s{3})Context\s*[█▀▄]?\s*$/;
const COUNT = /^[\d,.]+K? tokens\s*[█▀▄]?\s*$/;
const found = new WeakMap<readonly FrameRow[], number>();

/**
 * The first column of the sidebar beside the conversation; the screen's width if there is no sidebar. Read from the width of the input
 * box, or without a box from the sidebar's heading and the count below it.
 */
export function conversationCols({ rows, screenTop, cols }: ChatSnapshot): number {
  if (cols <= NARROW_COLS) return cols;
  const known = found.get(rows);
  if (known !== undefined) return known;
  const texts = rows.slice(screenTop).map(({ text }) => text);
  const edge = byBox(texts) ?? byHeading(texts, cols) ?? cols;
  found.set(rows, edge);
  return edge;
}

function byBox(texts: readonly string[]): number | null {
  const edge = texts.map((text) => BOX_EDGE.exec(text)?.[0]).findLast((text) => text !== undefined);
  return edge === undefined ? null : columnsOf(edge) + PADDING;
}

function byHeading(texts: readonly string[], cols: number): number | null {
  for (const [at, text] of texts.entries()) {
    const heading = text.search(HEADING);
    const column = heading < 0 ? 0 : columnsOf(text.slice(0, heading));
    if (column > cols / 2 && COUNT.test(cutColumns(texts[at + 1] ?? '', column, cols))) return column - PADDING;
  }
  return null;
}
