/** Puts `text`, without empty lines at its end, in a fence longer than all runs of backquotes in it. `language` must be a word. */
export function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return [`${fence}${language}`, ...(end === 0 ? [] : [text.slice(0, end)]), fence].join('\n');
}

/** Quotes `text`: a construct that is open at its end (a fence, HTML, a list) ends with the quotation. */
export function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}
