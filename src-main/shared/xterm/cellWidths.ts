import { UnicodeGraphemesAddon } from './graphemes.ts';
import { loadGraphemes } from './xtermGuards.ts';

/** One character as a terminal shows it, and how many cells it takes. */
export interface Grapheme {
  readonly text: string;
  readonly cells: 0 | 1 | 2;
}

/** xterm's table: what it says of a code point behind another is packed (bit 0: joins it; bits 1 and 2: cells; above: what to hand on). */
interface WidthTable {
  readonly version: string;
  charProperties(codepoint: number, preceding: number): number;
}

/** The add-on asks nothing else of an emulator. */
interface Loadable {
  activate(emulator: { unicode: object }): void;
}

/** The table that the emulators use, without an emulator: the add-on hands its tables to whatever takes them, and says which is to be used. */
function loadTable(): WidthTable {
  const tables: WidthTable[] = [];
  const unicode = { register: (table: WidthTable) => tables.push(table), activeVersion: '' };
  loadGraphemes({ unicode }, new UnicodeGraphemesAddon() as unknown as Loadable);
  const active = tables.find(({ version }) => version === unicode.activeVersion);
  if (!active) throw new Error('This version of @xterm/addon-unicode-graphemes keeps its tables elsewhere');
  return active;
}

let known: WidthTable | undefined;
/** No look-up is needed: each takes one cell, and nothing joins it. */
const PLAIN = /^[\u0020-\u007e]*$/;

/** `text` of a row, cut as the emulator had put it into cells. Joined, it is the text. */
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
