const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What XML 1.0 forbids, what a terminal would obey, and what turns the order of text around or hides it. */
const FORBIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** `text` for an attribute or an element: no markup, no control character, and nothing that is not seen. */
export function xmlText(text: string): string {
  return text
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(FORBIDDEN, '')
    .replace(/[&<>"]/g, (char) => ENTITIES[char] ?? '');
}
