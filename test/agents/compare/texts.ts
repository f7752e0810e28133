import { marked } from 'marked';

/** A Markdown text without markup and with single spaces. */
export function plainOf(markdown: string): string {
  return squeeze(
    unescaped(htmlOf(markdown).replace(/<(\/?)(\w+)[^>]*>/g, (_, _end, tag) => (INLINE.has(tag) ? '' : ' '))),
  );
}

/**
 * A normal form of Markdown, equal for texts that render the same. It omits the languages of code blocks, because agents do not show
 * them.
 */
export function meaningOf(markdown: string): string {
  return squeeze(
    htmlOf(markdown)
      .replace(/ class="language-[^"]*"/g, '')
      .replace(/>\s+</g, '><'),
  );
}

/** Whether `begun` is the part of `whole` that was drawn before an interruption. Compares letters only, because markup may be incomplete. */
export function isBeginningOf(begun: string, whole: string): boolean {
  return lettersOf(whole).startsWith(lettersOf(begun));
}

/** Share of common words of two texts, 0 to 1. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const [mine, theirs] = [countWords(a), countWords(b)];
  let shared = 0;
  for (const [word, count] of mine) shared += Math.min(count, theirs.get(word) ?? 0);
  const total = sum(mine) + sum(theirs);
  return total === 0 ? 0 : (2 * shared) / total;
}

export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const INLINE = new Set(['strong', 'em', 'code', 'a', 'del']);

function htmlOf(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

function unescaped(html: string): string {
  return html
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, count) => all + count, 0);

function lettersOf(markdown: string): string {
  return markdown.replace(/^```\w*$/gm, '').replace(/[^\p{L}\p{N}]+/gu, '');
}
