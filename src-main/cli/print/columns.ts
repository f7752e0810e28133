let segmenter: Intl.Segmenter | null = null;

/** Created at first use, because it loads the Unicode rules, which takes a third of the start of an empty Node. */
function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** East Asian Width W and F by script, and characters drawn as emoji. */
const WIDE =
  /^(?:[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;
const HALF_WIDTH = /^[\uff61-\uffdc\uffe8-\uffee]/;
const NO_WIDTH = /^[\p{M}\p{Cf}\p{Cc}\u1160-\u11ff]+$/u;

/** Columns of a line in a terminal. Control characters are not counted: use `escapeLine` first. */
export function columnsOf(line: string): number {
  if (isAscii(line)) return line.length;
  let columns = 0;
  for (const { segment } of graphemes(line)) columns += widthOf(segment);
  return columns;
}

/** The start of `line` that fits into `columns`, with `…` at a cut. Never half a character. */
export function cutToColumns(line: string, columns: number): string {
  if (line.length <= columns && isAscii(line)) return line;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes(line)) {
    const width = widthOf(segment);
    if (used + width > columns) return `${dropLast(kept, used - columns + 1)}…`;
    kept += segment;
    used += width;
  }
  return kept;
}

export function padToColumns(line: string, columns: number): string {
  return line + ' '.repeat(Math.max(0, columns - columnsOf(line)));
}

/** `line` without its last graphemes, at least `columns` of them. */
function dropLast(line: string, columns: number): string {
  const parts = [...graphemes(line)].map(({ segment }) => segment);
  for (let left = columns; left > 0 && parts.length > 0; ) left -= widthOf(parts.pop() ?? '');
  return parts.join('');
}

function widthOf(grapheme: string): 0 | 1 | 2 {
  if (grapheme.length === 1 && isAscii(grapheme)) return 1;
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) && !HALF_WIDTH.test(grapheme) ? 2 : 1;
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
