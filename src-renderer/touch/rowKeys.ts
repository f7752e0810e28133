/** A key of the row, as an event names it. */
export interface RowKey {
  key: string;
  code: string;
  keyCode: number;
}

export const ESCAPE: RowKey = { key: 'Escape', code: 'Escape', keyCode: 27 };
export const TAB: RowKey = { key: 'Tab', code: 'Tab', keyCode: 9 };
export const ARROWS = {
  left: { key: 'ArrowLeft', code: 'ArrowLeft', keyCode: 37 },
  up: { key: 'ArrowUp', code: 'ArrowUp', keyCode: 38 },
  right: { key: 'ArrowRight', code: 'ArrowRight', keyCode: 39 },
  down: { key: 'ArrowDown', code: 'ArrowDown', keyCode: 40 },
} as const satisfies Record<string, RowKey>;

/** The key that writes a character; `code` only where it is the same on every keyboard. */
export function keyOf(character: string): RowKey {
  const small = character.toLowerCase();
  const isLetter = /^[a-z]$/.test(small);
  const keyCode = isLetter || /^\d$/.test(small) ? small.toUpperCase().charCodeAt(0) : (KEY_CODES[character] ?? 0);
  return { key: isLetter ? small : character, code: isLetter ? `Key${small.toUpperCase()}` : '', keyCode };
}

/** What xterm.js makes control characters of, besides letters and digits. */
const KEY_CODES: Readonly<Record<string, number>> = {
  ' ': 32,
  '[': 219,
  '\\': 220,
  ']': 221,
  _: 189,
  '/': 191,
};
