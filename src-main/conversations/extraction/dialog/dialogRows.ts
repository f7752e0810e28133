import type { OptionsFound } from './findOptions.ts';
import { answerKeys, isEdge, isFramed, isMoreRows, unframed } from './rowShapes.ts';

/** Most rows above the options in which the question is searched. */
const DIALOG_ROWS = 60;
/** An upper edge: of a box, or a rule across the window. */
const TOP = /^ ?(?:[╭┌][─━]{3,}|[─━▔]{8,})/;

/** Returns the first row of the question whose first option is in row `first`: its upper edge, or the row below the blank rows. */
export function dialogTop(texts: readonly string[], first: number): number {
  const isBoxed = isFramed(texts[first] ?? '');
  const most = Math.max(0, first - DIALOG_ROWS);
  for (let at = first - 1; at >= most; at -= 1) {
    const text = texts[at] ?? '';
    if (isBoxed && !isFramed(text)) return /^\s*[╭┌]/.test(text) ? at : at + 1;
    if (!isBoxed && TOP.test(text)) return at;
  }
  return behindBlanks(texts, first, most);
}

/** A question without an edge has two blank rows above it. Without these, only its last paragraph is found. */
function behindBlanks(texts: readonly string[], first: number, most: number): number {
  const isBlank = (at: number) => (texts[at] ?? '').trim() === '';
  let isAsked = false;
  for (let at = first - 1; at > most; at -= 1) {
    if (!isBlank(at)) isAsked = true;
    else if (isAsked && isBlank(at - 1)) return at + 1;
  }
  let at = first - 1;
  while (at > most && isBlank(at)) at -= 1;
  while (at > most && !isBlank(at - 1)) at -= 1;
  return Math.max(0, at);
}

/** The question in `texts` as people read it: without frames, rules, pointers and keys. */
export function dialogText(texts: readonly string[], { options }: OptionsFound): string {
  const isList = options.some(({ pointer, number }) => pointer !== null || number !== null);
  const lines = texts
    .filter((text) => !isEdge(text))
    .map((text) => unframed(unframed(text).trim()).trim()) // a command may have a second box inside the box
    .filter((text) => text !== '' && !/^[▲▼]$/.test(text) && !isMoreRows(text) && (!isList || answerKeys(text) === 0));
  return lines.map((line) => line.replace(/^[❯›▶▸●◉>] ?(?=\S)/, '')).join('\n');
}
