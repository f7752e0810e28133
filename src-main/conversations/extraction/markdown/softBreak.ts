import { columnsOf } from './spans.ts';

export const ITEM = /^\s*(?:[-*•◦]|\d{1,3}[.)])\s/;
/** The bar of a quote; within a list it keeps the list's indent. */
export const QUOTE = /^(\s{2,}|)\s?[▎▌]\s?/;
/** Columns a program may leave free at the right edge when it wraps. */
export const EDGE_COLS = 2;
/** Characters between which a line may break anywhere: no space is lost at such a break. */
const RUNNING = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60]/u;
/** Narrow punctuation, after which running text has no space either. */
const MARKS = /[,.:;!?)]+$/;
/** Two wide characters, which a break near punctuation may leave free because some punctuation must not begin a line. */
const RUNNING_EDGE_COLS = 4;

/** A path that continues in the next line: programs break it after a slash. */
const PATH_HEAD = /\/\S*[^/\s]\/$/;
const PATH_TAIL = /^[^/\s]+\//;

/**
 * Returns the text that was lost where a line of `cols` columns was broken: a space between words, '' within a long word or in running
 * text without spaces. Null if the text itself has the break: the next word would have fitted, or it begins an item or a quote.
 */
export function jointOf(line: string, next: string, cols: number): '' | ' ' | null {
  if (line === '' || ITEM.test(next) || QUOTE.test(next)) return null;
  const own = line.trimEnd();
  const [word = ''] = next.trimStart().split(/\s/, 1);
  const isWithin = isRunning(own.replace(MARKS, '').at(-1)) && isRunning([...word][0]);
  if (isWithin && columnsOf(own) > cols - RUNNING_EDGE_COLS) return '';
  if (columnsOf(own) + 1 + columnsOf(word) <= cols - EDGE_COLS) return null;
  if (isWithin) return ''; // some programs break after punctuation, long before the edge, or broke it for a narrower window
  if (/\w-$/.test(own) && /^\w/.test(word)) return '';
  if (PATH_HEAD.test(own) && PATH_TAIL.test(word)) return '';
  const isOneWord = !/\s/.test(own.trimStart());
  return isOneWord && columnsOf(own) > cols - EDGE_COLS ? '' : ' ';
}

function isRunning(character: string | undefined): boolean {
  return character !== undefined && RUNNING.test(character);
}
