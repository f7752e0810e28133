/** Everything that a terminal could take for an order: C0, DEL, C1, and line and paragraph separators. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';
/**
 * What can make a text read as another one: marks, embeddings, overrides and isolates of direction (UAX #9), spaces and joiners without
 * width, invisible operators, fillers, the byte order mark, interlinear marks and tag characters. The window marks the same set
 * (`hiddenChars.ts`). ZWJ and ZWNJ are left out: emoji and several scripts need them.
 */
const HIDDEN =
  '\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';
const UNSAFE = new RegExp(`[${CONTROLS}${HIDDEN}]`, 'gu');

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\x1b': '\\e' };

/** One line that is safe beside ours: what a terminal would obey is shown as an escape, such as `\e` or `\u{202e}`. */
export function escapeLine(text: string): string {
  return text.replace(UNSAFE, escapeChar);
}

/** The same for text of many lines: LF and TAB stay as they are. Each character is judged alone, so any cut of the text will do. */
export function escapeText(text: string): string {
  return text.replace(UNSAFE, (char) => (char === '\n' || char === '\t' ? char : escapeChar(char)));
}

/** JSON that is safe to look at in a terminal too: JSON itself leaves DEL, C1 and bidi controls as they are. */
export function escapeJson(json: string): string {
  return json.replace(UNSAFE, (char) =>
    char === '\n' ? char : [...Array(char.length).keys()].map((at) => `\\u${hex(char.charCodeAt(at), 4)}`).join(''),
  );
}

function escapeChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return SHORT[char] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 0)}}`);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
