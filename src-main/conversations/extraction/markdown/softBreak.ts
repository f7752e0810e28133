import { columnsOf } from './spans.ts';

export const ITEM = /^\s*(?:[-*•◦]|\d{1,3}[.)])\s/;
/** The bar of a quote; within a list it keeps the list's indent. */
export const QUOTE = /^(\s{2,}|)\s?[▎▌]\s?/;
/** Columns a program may leave free at the right edge when it wraps. */
export const EDGE_COLS = 2;
/** Characters between any two of which a line may break: no space is lost there. */
const RUNNING = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60]/u;
/** Marks of narrow type, behind which running text has no space either. */
const MARKS = /[,.:;!?)]+$/;
/** Two wide characters: what a break before or after punctuation that must not begin a line leaves free. */
const RUNNING_EDGE_COLS = 4;

/** A path that goes on in the next line: programs break it behind one of its slashes. */
const PATH_HEAD = /\/\S*[^/\s]\/$/;
const PATH_TAIL = /^[^/\s]+\//;

/**
 * What stood where a line of `cols` was broken: a space between words, nothing within a long word or running text without spaces.
 * Null: a break of the text's own, because the next word would have fitted, or begins an item or a quote.
 */
export function jointOf(line: string, next: string, cols: number): '' | ' ' | null {
  if (line === '' || ITEM.test(next) || QUOTE.test(next)) return null;
  const own = line.trimEnd();
  const [word = ''] = next.trimStart().split(/\s/, 1);
  const isWithin = isRunning(own.replace(MARKS, '').at(-1)) && isRunning([...word][0]);
  if (isWithin && columnsOf(own) > cols - RUNNING_EDGE_COLS) return '';
  if (columnsOf(own) + 1 + columnsOf(word) <= cols - EDGE_COLS) return null;
  if (isWithin) return ''; // some break behind marks, long before the edge, or had broken it for a narrower window
  if (/\w-$/.test(own) && /^\w/.test(word)) return '';
  if (PATH_HEAD.test(own) && PATH_TAIL.test(word)) return '';
  const isOneWord = !/\s/.test(own.trimStart());
  return isOneWord && columnsOf(own) > cols - EDGE_COLS ? '' : ' ';
}

function isRunning(character: string | undefined): boolean {
  return character !== undefined && RUNNING.test(character);
}
