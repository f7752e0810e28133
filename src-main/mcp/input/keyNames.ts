/** The key modes that the program set (DECCKM). */
export interface KeyModes {
  readonly applicationCursor: boolean;
}

const MAX_REPEATS = 100;
const ESC = '\x1b';

/** Keys that send one character, in xterm's default. */
const PLAIN: Readonly<Record<string, string>> = {
  enter: '\r',
  return: '\r',
  tab: '\t',
  esc: ESC,
  escape: ESC,
  space: ' ',
  backspace: '\x7f',
};
/** Cursor keys: `CSI x`, or `SS3 x` in application mode. */
const CURSOR: Readonly<Record<string, string>> = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' };
/** `SS3 x`; with modifiers `CSI 1 ; m x`. */
const SS3: Readonly<Record<string, string>> = { f1: 'P', f2: 'Q', f3: 'R', f4: 'S' };
/** `CSI n ~`. The gaps in the numbers are the VT220's. */
const TILDE: Readonly<Record<string, number>> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pgup: 5,
  pagedown: 6,
  pgdn: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};
const MODIFIERS: Readonly<Record<string, number>> = { shift: 1, alt: 2, meta: 2, option: 2, ctrl: 4, control: 4 };

const NAMES = [
  ...['Enter', 'Tab', 'Esc', 'Space', 'Backspace', 'Up', 'Down', 'Left', 'Right', 'Home', 'End', 'PgUp', 'PgDn'],
  ...['Insert', 'Delete', 'Shift+Tab', 'Ctrl+C', 'Ctrl+D', 'Ctrl+U', 'Ctrl+L', 'Alt+x'],
  ...Array.from({ length: 12 }, (_, at) => `F${at + 1}`),
];

/**
 * The bytes that a keyboard sends for `name`: `Enter`, `Ctrl+C`, `Alt+x`, `Shift+Tab`, `F5`, `Up*3`, or one character. null for an unknown key and
 * for one without its own bytes (`Shift+Enter`).
 */
export function keyBytes(name: string, modes: KeyModes): string | null {
  const repeated = /^(.+)\*(\d{1,3})$/.exec(name);
  const times = Number(repeated?.[2] ?? 1);
  if (times < 1 || times > MAX_REPEATS) return null;
  const one = oneKey(repeated?.[1] ?? name, modes);
  return one === null ? null : one.repeat(times);
}

/** Key names similar to an unknown one, closest first. */
export function keySuggestions(name: string): string[] {
  const base = name.replace(/\*\d+$/, '').toLowerCase();
  return NAMES.map((known) => ({ known, far: distance(base, known.toLowerCase()) }))
    .filter(({ known, far }) => far <= Math.max(2, Math.floor(known.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, 5)
    .map(({ known }) => known);
}

function oneKey(name: string, modes: KeyModes): string | null {
  const words = name.length > 1 ? name.split(/[+-](?=.)/) : [name];
  const key = words.at(-1) ?? '';
  let modifier = 0;
  for (const word of words.slice(0, -1)) {
    const bit = MODIFIERS[word.toLowerCase()];
    if (bit === undefined || modifier & bit) return null;
    modifier |= bit;
  }
  return [...key].length === 1 ? character(key, modifier) : named(key.toLowerCase(), modifier, modes);
}

function named(key: string, modifier: number, { applicationCursor }: KeyModes): string | null {
  const plain = PLAIN[key];
  if (plain !== undefined) return plainKey(key, plain, modifier);
  const parameter = modifier === 0 ? '' : `;${modifier + 1}`;
  const cursor = CURSOR[key];
  if (cursor !== undefined) return modified(cursor, modifier, applicationCursor ? `${ESC}O` : `${ESC}[`);
  const ss3 = SS3[key];
  if (ss3 !== undefined) return modified(ss3, modifier, `${ESC}O`);
  const tilde = TILDE[key];
  return tilde === undefined ? null : `${ESC}[${tilde}${parameter}~`;
}

function modified(final: string, modifier: number, plain: string): string {
  return modifier === 0 ? plain + final : `${ESC}[1;${modifier + 1}${final}`;
}

function plainKey(key: string, plain: string, modifier: number): string | null {
  if (key === 'tab' && modifier === 1) return `${ESC}[Z`;
  if (key === 'space' && modifier === 4) return '\0';
  if (modifier === 0) return plain;
  return modifier === 2 ? ESC + plain : null;
}

function character(key: string, modifier: number): string | null {
  const code = key.codePointAt(0) ?? 0;
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return null;
  let text = modifier & 1 ? key.toUpperCase() : key;
  if (modifier & 4) {
    const control = controlOf(key);
    if (control === null) return null;
    text = control;
  }
  return modifier & 2 ? ESC + text : text;
}

/** ECMA-48: the character without its upper bits. */
function controlOf(key: string): string | null {
  if (key === '?') return '\x7f';
  const upper = key.toUpperCase();
  return /^[@A-Z[\\\]^_]$/.test(upper) ? String.fromCharCode(upper.charCodeAt(0) & 0x1f) : null;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, char] of [...a].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= b.length; to++) {
      const cost = char === b[to - 1] ? 0 : 1;
      next.push(Math.min((next[to - 1] ?? 0) + 1, (row[to] ?? 0) + 1, (row[to - 1] ?? 0) + cost));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
