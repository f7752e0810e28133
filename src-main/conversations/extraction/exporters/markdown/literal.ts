/** Markdown marks anywhere in a line. `<` and `&` become entities: a backslash before them would pass for the end of an address. */
const INLINE = /[\\`*[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;
const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '&': '&amp;' };
/** Marks that begin a heading, a list, a quotation, a rule or an underline. */
const AT_START = /^(?:[#>+=-]|\d{1,9}(?=[.)]))/;
/** An address that can be put in angle brackets unchanged; its last character does not end a sentence. */
const ADDRESS = /(?<!\w)(https?:\/\/[\w./?#@!$*+,;=%~:-]{0,2000}[\w/#=%])/;

/** Markdown that reads exactly as `text`: it keeps lines and spaces, escapes all marks, and links addresses. */
export function literalMarkdown(text: string): string {
  return text
    .split('\n')
    .map(literalLine)
    .join('\\\n')
    .replace(/\\\n(?=\\\n|$)/g, '\n')
    .replace(/\n\\\n/g, '\n\n');
}

/** A title or a name: one line. */
export function inlineMarkdown(text: string): string {
  return literalLine(text.replace(/\s+/g, ' ').trim());
}

function literalLine(line: string): string {
  const words = line.trimStart();
  const escaped = words
    .split(ADDRESS)
    .map((part, at) => (at % 2 === 1 ? `<${part}>` : escapeMarks(part)))
    .join('');
  const start = AT_START.exec(escaped)?.[0];
  const rest =
    start === undefined ? escaped : /\d/.test(start) ? `${start}\\${escaped.slice(start.length)}` : `\\${escaped}`;
  return '&nbsp;'.repeat(line.length - words.length) + rest.trimEnd();
}

function escapeMarks(text: string): string {
  return text.replace(INLINE, '\\$&').replace(/[<&]/g, (char) => ENTITIES[char] ?? '');
}
