import { shownText } from '../shownText.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** `text` for an element's content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return shownText(text).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '');
}
