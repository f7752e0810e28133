const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 forbids, that a terminal would execute, or that reorder or hide text. */
const FORBIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Makes `text` safe for an attribute or an element: no markup, control characters or invisible characters. */
export function xmlText(text: string): string {
  return text
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(FORBIDDEN, '')
    .replace(/[&<>"]/g, (char) => ENTITIES[char] ?? '');
}
