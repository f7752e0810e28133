import { columnsOf } from '../markdown/spans.ts';

/** Glyphs that point at the option that Return chooses. `>` and `●` also begin prompts and answers. */
const POINTER = '❯›▶▸→●◉>';
const NUMBERED = new RegExp(`^(\\s*)([${POINTER}]\\s*)?(\\d{1,2})[.)]\\s+(\\S.*)$`);
const POINTED = new RegExp(`^(\\s*)([${POINTER}]\\s+)(\\S.*)$`);
const EDGE = /^[\s─━═╌┄▔▁╭╮╰╯┌┐└┘├┤│┃╹╻▀▄]+$/;
const BOX_END = /^\s*[╰└][─━]{3,}[╯┘]?\s*$/;
const MORE_ROWS = /^\s*[↑↓▲▼] \d+ more\b/;
/** Keys that answer a question. Excludes the keys that steer a working agent (interrupt, queue, cycle). */
const KEYS: readonly RegExp[] = [
  /\b(?:enter|return)(?: to|:)? (?:confirm|select|submit|continue|stay|choose|accept|approve|proceed|apply|save|toggle)\b/i,
  /(?<!\()\besc(?:ape)?(?: to|:)? (?:cancel|close|go back|back|exit|dismiss|reject|skip|deny|stop|decline)\b/i,
  /[↑↓⇆]\S*(?: or \S+)?(?: to)? (?:navigate|select|move|choose)\b|\barrow keys\b/i,
];

/** Columns that a frame and its margin take at the right. */
const SIDE_COLS = 6;

/** A row that can be chosen. */
export interface OptionRow {
  readonly label: string;
  readonly number: number | null;
  /** Column of the number, or of the label if there is no number. */
  readonly col: number;
  readonly pointer: string | null;
}

/** The text of a row of a box without the box's sides, its columns kept. */
export function unframed(text: string): string {
  return text.replace(/^(\s{0,2})[│┃]/, '$1 ').replace(/\s*[│┃]\s*$/, '');
}

export function isFramed(text: string): boolean {
  return /^\s{0,2}[│┃]/.test(text);
}

export function isEdge(text: string): boolean {
  return EDGE.test(text) && text.trim() !== '';
}

export function isBoxEnd(text: string): boolean {
  return BOX_END.test(text);
}

/** Matches a spinner that shows that the agent waits for the person. */
export function isWaitingRow(text: string): boolean {
  return /^\s*[\u2800-\u28ff]\s+Waiting for user\b/i.test(text);
}

export function isMoreRows(text: string): boolean {
  return MORE_ROWS.test(text);
}

/** Counts the kinds of answering keys that `text` names. */
export function answerKeys(text: string): number {
  return KEYS.filter((match) => match.test(text)).length;
}

/** The numbered option in a row, without its frame; null for any other row. */
export function numberedOption(text: string): OptionRow | null {
  const [, indent = '', pointer, digits = '', label = ''] = NUMBERED.exec(text) ?? [];
  if (digits === '') return null;
  const col = indent.length + (pointer?.length ?? 0);
  return { label: label.trimEnd(), number: Number(digits), col, pointer: pointer?.trim() ?? null };
}

/** The option in a row with a pointer, without its frame; null for any other row. */
export function pointedOption(text: string): OptionRow | null {
  const [, indent = '', pointer = '', label = ''] = POINTED.exec(text) ?? [];
  if (pointer === '') return null;
  return { label: label.trimEnd(), number: null, col: indent.length + pointer.length, pointer: pointer.trim() };
}

export function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** Whether `text` continues the row above it: its first word had no room there. */
export function isWrapped(above: string, text: string, cols: number): boolean {
  const [word = ''] = text.trim().split(' ');
  return word !== '' && columnsOf(above.trimEnd()) + 1 + columnsOf(word) > cols - SIDE_COLS;
}
