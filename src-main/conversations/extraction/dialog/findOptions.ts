import type { FrameRow } from '../../../contract/screen/frame.ts';
import { highlighted } from './highlighted.ts';
import {
  answerKeys,
  indentOf,
  isEdge,
  isWrapped,
  numberedOption,
  type OptionRow,
  pointedOption,
  unframed,
} from './rowShapes.ts';

/** Most rows from one option to the next: a description, a rule, a blank row. */
const APART_ROWS = 6;
const LIST_ROWS = 80;
/** Represents the pointer if a colour marks the option. */
const HIGHLIGHT = '▸';
/** The start of a label, which is on the first row even in a narrow window. */
const SURE_CHARS = 8;
const REVIEW_KEYS = /⇆ tab\s+enter (submit)\b.*\besc dismiss\b/;
/** Entries of the menus of commands, files and skills above or below an input box. */
const COMPLETION = /^[/@$#]\S/;

export interface OptionsFound {
  readonly options: readonly OptionRow[];
  /** First and last row with an option. */
  readonly first: number;
  readonly last: number;
  /** Column of the numbers or labels. */
  readonly col: number;
  readonly isNumbered: boolean;
  /** The options are beside each other in one row. */
  readonly isAcross: boolean;
  /** Rows between `first` and the row of an option. */
  rowsOf(option: OptionRow | undefined): number;
}

interface Held {
  readonly at: number;
  readonly option: OptionRow;
}

interface Column {
  readonly held: readonly Held[];
  readonly isNumbered: boolean;
}

/** Finds the lowest column of options on the screen; null if no column has at least two. */
export function optionsBelow(texts: readonly string[], cols: number): OptionsFound | null {
  const inner = texts.map(unframed);
  const found = numberedBelow(inner) ?? pointedBelow(inner);
  return found === null
    ? null
    : foundOf(
        found.held.map((own) => whole(inner, own, cols)),
        found.isNumbered,
      );
}

/** Adds the rows onto which an option was wrapped: the first word of each had no room on the row above it. */
function whole(inner: readonly string[], { at, option }: Held, cols: number): Held {
  let { label } = option;
  for (let row = at + 1; row < inner.length; row += 1) {
    const text = inner[row] ?? '';
    const goesOn = isWrapped(inner[row - 1] ?? '', text, cols) && indentOf(text) >= option.col;
    if (!goesOn || isEdge(text) || numberedOption(text)) break;
    label = `${label} ${text.trim()}`;
  }
  return { at, option: { ...option, label } };
}

/** Numbers that count up by one to the last one on the screen. */
function numberedBelow(inner: readonly string[]): Column | null {
  const held: Held[] = [];
  for (let at = inner.length - 1; at >= 0; at -= 1) {
    const option = numberedOption(inner[at] ?? '');
    const next = held[0];
    if (next && next.at - at > APART_ROWS) break;
    if (!option) continue;
    if (next && (option.number !== (next.option.number ?? 0) - 1 || Math.abs(option.col - next.option.col) > 1)) break;
    held.unshift({ at, option });
    if (option.number === 1) break;
  }
  return held.length < 2 ? null : { held, isNumbered: true };
}

/** A pointer at one of several labels in the same column. */
function pointedBelow(inner: readonly string[]): Column | null {
  const at = inner.findLastIndex((text) => pointedOption(text) !== null);
  const pointed = pointedOption(inner[at] ?? '');
  if (!pointed || COMPLETION.test(pointed.label)) return null;
  const held: Held[] = [{ at, option: pointed }];
  const labelAt = (row: number): Held | null => {
    const text = inner[row] ?? '';
    if (text.trim() === '' || isEdge(text) || indentOf(text) !== pointed.col || answerKeys(text) > 0) return null;
    return { at: row, option: { label: text.trim(), number: null, col: pointed.col, pointer: null } };
  };
  for (let row = at - 1; row >= Math.max(0, at - LIST_ROWS); row -= 1) {
    const own = labelAt(row);
    if (!own) break;
    held.unshift(own);
  }
  for (let row = at + 1; row < Math.min(inner.length, at + LIST_ROWS); row += 1) {
    const own = labelAt(row);
    if (!own) break;
    held.push(own);
  }
  return held.length < 2 ? null : { held, isNumbered: false };
}

/** Finds labels beside each other, followed by the keys that choose one: `Allow once   Reject   ⇆ select  enter confirm`. */
export function optionsAcross(rows: readonly FrameRow[]): OptionsFound | null {
  const at = rows.findLastIndex(({ text }) => /⇆ select\b/.test(text) && answerKeys(text) > 1);
  const row = rows[at];
  if (!row) return null;
  const inner = unframed(row.text);
  const labels = inner
    .trim()
    .split(/ {3,}/)
    .filter((part) => answerKeys(part) === 0 && !/^ctrl\+/.test(part));
  if (labels.length < 2) return null;
  const places = labels.map((label) => ({ row, index: row.text.indexOf(label) }));
  const pointed = highlighted(places, { row, index: row.text.lastIndexOf('⇆') });
  const held = labels.map((label, number) => ({ at, option: optionOf(label, number === pointed, inner) }));
  return { ...foundOf(held, false), isAcross: true };
}

/** Finds the page that shows the answers to several questions. Return sends them, and there is no other option. */
export function reviewedAnswers(texts: readonly string[]): OptionsFound | null {
  const at = texts.findLastIndex((text) => REVIEW_KEYS.test(text));
  const inner = unframed(texts[at] ?? '');
  const [, label = ''] = REVIEW_KEYS.exec(texts[at] ?? '') ?? [];
  if (at < 0) return null;
  return { ...foundOf([{ at, option: optionOf(label, true, inner) }], false), isAcross: true };
}

function optionOf(label: string, isPointed: boolean, inner: string): OptionRow {
  return { label: label.trim(), number: null, col: indentOf(inner), pointer: isPointed ? HIGHLIGHT : null };
}

/** Adds a pointer to the highlighted option if no glyph points at an option. `keys`: the last row with words. */
export function withHighlight(rows: readonly FrameRow[], found: OptionsFound): OptionsFound {
  if (found.options.some(({ pointer }) => pointer !== null)) return found;
  const keys = rows.findLast(({ text }) => unframed(text).trim() !== '');
  const places = found.options.flatMap((option) => {
    const row = rows[found.first + found.rowsOf(option)];
    return row ? [{ row, index: row.text.indexOf(option.label.slice(0, SURE_CHARS)) }] : [];
  });
  if (!keys || places.length < found.options.length) return found;
  const pointed = highlighted(places, { row: keys, index: keys.text.trimEnd().length - 1 });
  if (pointed === null) return found;
  const rowOf = new Map(found.options.map((option) => [option, found.rowsOf(option)]));
  const lit = found.options.map((option, at) => (at === pointed ? { ...option, pointer: HIGHLIGHT } : option));
  const before = (option: OptionRow | undefined) => found.options[lit.indexOf(option as OptionRow)];
  return { ...found, options: lit, rowsOf: (option) => rowOf.get(before(option) as OptionRow) ?? 0 };
}

function foundOf(held: readonly Held[], isNumbered: boolean): OptionsFound {
  const first = held[0]?.at ?? 0;
  return {
    options: held.map(({ option }) => option),
    first,
    last: held.at(-1)?.at ?? first,
    col: Math.min(...held.map(({ option }) => option.col)),
    isNumbered,
    isAcross: false,
    rowsOf: (wanted) => (held.find(({ option }) => option === wanted)?.at ?? first) - first,
  };
}
