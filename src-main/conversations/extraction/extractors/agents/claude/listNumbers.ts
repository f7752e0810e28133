import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { ITEM } from '../../../markdown/softBreak.ts';
import { cutRow } from '../../../markdown/spans.ts';

/** Nested lists are counted by letters, and lists within these by Roman numerals. Markdown has only numbers. */
const LABEL = /^( +)([a-z]+)\. \S/;
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];
const FIRST_LETTER = 97;

/** Replaces the letters that count a nested list by numbers. */
export function withNumbers(rows: readonly FrameRow[]): FrameRow[] {
  /** The items that contain the row, by their indent, the outermost first, with the number of items counted by letters. */
  const open: { indent: number; counted: number }[] = [];
  return rows.map((row) => {
    const text = row.text.trimEnd();
    if (text === '') return row;
    const indent = text.length - text.trimStart().length;
    while ((open.at(-1)?.indent ?? -1) > indent) open.pop();
    const [, blank = '', label = ''] = LABEL.exec(text) ?? [];
    const beside = open.at(-1)?.indent === indent ? open.pop() : undefined;
    const number = (beside?.counted ?? 0) + 1;
    const isCounted = open.length > 0 && isLabel(label, number) && (!beside || beside.counted > 0);
    if (isCounted || ITEM.test(text)) open.push({ indent, counted: isCounted ? number : 0 });
    return isCounted ? labelled(row, blank, { number, length: label.length }) : row;
  });
}

function isLabel(label: string, number: number): boolean {
  return label === String.fromCharCode(FIRST_LETTER - 1 + number) || (label !== '' && label === ROMAN[number - 1]);
}

function labelled(row: FrameRow, blank: string, { number, length }: { number: number; length: number }): FrameRow {
  const rest = cutRow(row, blank.length + length);
  const spans = [{ text: blank }, { ...rest.spans[0], text: `${number}` }, ...rest.spans];
  return { ...row, text: `${blank}${number}${rest.text}`, spans };
}
