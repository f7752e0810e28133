/** All characters that a terminal could execute: C0, DEL, C1, and line and paragraph separators. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';
/**
 * Characters that can make a text look like another one: marks, embeddings, overrides and isolates of direction (UAX #9), zero-width
 * spaces and joiners, invisible operators, fillers, the byte order mark, interlinear marks and tag characters. The window marks the same
 * set (`hiddenChars.ts`). Excludes ZWJ and ZWNJ, which emoji and several scripts need.
 */
const HIDDEN =
  '\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';
const UNSAFE = new RegExp(`[${CONTROLS}${HIDDEN}]`, 'gu');

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\x1b': '\\e' };

/** Makes one line safe to print: replaces characters that a terminal would execute by escapes such as `\e` or `\u{202e}`. */
export function escapeLine(text: string): string {
  return text.replace(UNSAFE, escapeChar);
}

/** Like `escapeLine` for several lines: keeps LF and TAB. Escapes each character by itself, so the text may be cut anywhere. */
export function escapeText(text: string): string {
  return text.replace(UNSAFE, (char) => (char === '\n' || char === '\t' ? char : escapeChar(char)));
}

/** Makes JSON safe to print in a terminal: JSON itself does not escape DEL, C1 and bidi controls. */
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
