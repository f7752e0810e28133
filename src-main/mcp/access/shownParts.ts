import type { ShownPart } from '../../contract/mcp/approval.ts';

/**
 * Characters that a person would not see or would mistake for others: controls, separators, blanks other than SPACE, soft hyphen, joiners and other
 * zero-width characters, bidi controls, fillers, variation selectors, tag characters, private use, noncharacters and lone surrogates.
 */
const HIDDEN = [
  /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Co}|\p{Cn}|\p{Cs}/u,
  /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/u,
  /\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/u,
  /[\ufe00-\ufe0f]/u,
  /[\u{e0100}-\u{e01ef}]/u,
];

const NAMES: Readonly<Record<string, string>> = { '\t': '⇥', '\n': '⏎', '\r': '␍', '\x1b': '␛' };
/** More blanks in a row would push the text after them out of view. */
const MAX_BLANKS = 8;

/** Splits `text` for display to a person. The parts, with hidden characters named, cover everything that will be typed. */
export function shownParts(text: string): ShownPart[] {
  const parts: ShownPart[] = [];
  const add = (piece: string, hidden: boolean): void => {
    const last = parts.at(-1);
    if (last && last.hidden === hidden && !hidden) last.text += piece;
    else parts.push({ text: piece, hidden });
  };
  for (const piece of text.match(/ {9,}|[\s\S]/gu) ?? []) {
    if (piece.length > MAX_BLANKS && piece.startsWith(' ')) add(`␣×${piece.length}`, true);
    else if (HIDDEN.some((kind) => kind.test(piece))) add(NAMES[piece] ?? nameOf(piece), true);
    else add(piece, false);
  }
  return parts;
}

/** The same as plain text on one line, with the names of hidden characters between ‹ and ›. */
export function plainParts(parts: readonly ShownPart[]): string {
  return parts.map(({ text, hidden }) => (hidden ? `‹${text}›` : text)).join('');
}

function nameOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
