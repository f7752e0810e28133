import { type FontCoverage, readCoverage } from './fontTables.ts';

/** A font file of the system, read on demand. */
export interface FontFile {
  readonly path: string;
  read(offset: number, length: number): Uint8Array;
  readonly size: number;
}

/** A CJK collection has 20 to 80 MB; larger files are not loaded for a picture. */
const MAX_FONT_BYTES = 100 * 1024 * 1024;
const MAX_SYSTEM_FONTS = 6;
/** Files to examine for one picture; results are cached. */
const MAX_LOOKS = 400;

/** The characters of `text` that need a font check: all but ASCII, which each font has. */
export function codepointsOf(text: string): Set<number> {
  const found = new Set<number>();
  for (const char of text) {
    const codepoint = char.codePointAt(0) ?? 0;
    if (codepoint > 0x7e) found.add(codepoint);
  }
  return found;
}

/** Fonts of the system, best first, for characters missing in ours. */
export class SystemFonts {
  readonly #files: readonly FontFile[];
  readonly #known = new Map<string, FontCoverage | null>();

  constructor(files: readonly FontFile[]) {
    this.#files = [...files].sort((a, b) => rankOf(a.path) - rankOf(b.path) || (a.path < b.path ? -1 : 1));
  }

  /** Chooses few fonts that draw the characters of `missing`, and removes these; no font has the remaining ones. */
  fontsFor(missing: Set<number>): Uint8Array[] {
    const fonts: Uint8Array[] = [];
    for (const file of this.#files.slice(0, MAX_LOOKS)) {
      if (missing.size === 0 || fonts.length === MAX_SYSTEM_FONTS) break;
      const coverage = this.#coverage(file);
      const drawn = [...missing].filter((codepoint) => coverage?.has(codepoint));
      if (drawn.length === 0) continue;
      fonts.push(file.read(0, file.size));
      for (const codepoint of drawn) missing.delete(codepoint);
    }
    return fonts;
  }

  #coverage(file: FontFile): FontCoverage | null {
    const known = this.#known.get(file.path);
    if (known !== undefined) return known;
    const coverage = file.size > MAX_FONT_BYTES ? null : readCoverage((offset, length) => file.read(offset, length));
    this.#known.set(file.path, coverage);
    return coverage;
  }
}

/** Monospaced fonts first, then those for scripts and symbols, then the rest; bold, slanted and narrow ones come last. */
const RANKS: readonly RegExp[] = [
  /mono|menlo|consola|courier/i,
  /cjk|gothic|hiragino|pingfang|heiti|yahei|msyh|malgun|wenquan|wqy|fallback|simsun|meiryo/i,
  /symbol|emoji|math|dejavusans|seguisym|unifont/i,
];
const NOT_PLAIN = /bold|black|heavy|thin|light|italic|oblique|condensed|consola[biz]|cour(?:bd|bi|i)\./i;

function rankOf(path: string): number {
  const name = path.slice(path.search(/[^/\\]*$/));
  const rank = RANKS.findIndex((form) => form.test(name));
  return (rank === -1 ? RANKS.length : rank) + (NOT_PLAIN.test(name) ? RANKS.length + 1 : 0);
}
