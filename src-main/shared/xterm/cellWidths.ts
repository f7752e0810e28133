import { UnicodeGraphemesAddon } from './graphemes.ts';
import { loadGraphemes } from './xtermGuards.ts';

/** One displayed character, and its number of cells. */
export interface Grapheme {
  readonly text: string;
  readonly cells: 0 | 1 | 2;
}

/** xterm's table: the properties of a code point after another one, packed (bit 0: joins it; bits 1 and 2: cells; above: state for the next call). */
interface WidthTable {
  readonly version: string;
  charProperties(codepoint: number, preceding: number): number;
}

/** The only part of an emulator that the add-on uses. */
interface Loadable {
  activate(emulator: { unicode: object }): void;
}

/** Loads the emulators' table without an emulator: the add-on registers its tables with any object, and selects the active one. */
function loadTable(): WidthTable {
  const tables: WidthTable[] = [];
  const unicode = { register: (table: WidthTable) => tables.push(table), activeVersion: '' };
  loadGraphemes({ unicode }, new UnicodeGraphemesAddon() as unknown as Loadable);
  const active = tables.find(({ version }) => version === unicode.activeVersion);
  if (!active) throw new Error('This version of @xterm/addon-unicode-graphemes keeps its tables elsewhere');
  return active;
}

let known: WidthTable | undefined;
/** Characters that need no table: each takes one cell, and none joins. */
const PLAIN = /^[\u0020-\u007e]*$/;

/** Splits a row's `text` as the emulator has put it into cells. The joined parts equal the text. */
export function graphemesOf(text: string): Grapheme[] {
  if (PLAIN.test(text)) return Array.from(text, (char) => ({ text: char, cells: 1 }));
  known ??= loadTable();
  const found: { text: string; cells: 0 | 1 | 2 }[] = [];
  let preceding = 0;
  for (const char of text) {
    const properties = known.charProperties(char.codePointAt(0) ?? 0, preceding);
    const cells = ((properties >> 1) & 3) as 0 | 1 | 2;
    const last = found.at(-1);
    if ((properties & 1) === 1 && last) {
      last.text += char;
      last.cells = cells;
    } else found.push({ text: char, cells });
    preceding = properties;
  }
  return found;
}
