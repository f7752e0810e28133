import { lexMarkdown } from '../lexMarkdown.ts';
import { quoted } from './fence.ts';

/** Speakers are headings of this level: those in what was said are deeper. */
const SPEAKER_DEPTH = 3;
const DEEPEST = 6;
const FENCE = /^[ \t>]*(?:`{3,}|~{3,})/;
const HEADING = /^( {0,3})(#{1,6})(?=\s|$)/;
/** Stands behind the text while it is looked at: what is open at its end would take it in. */
const BEHIND = 'BehindTheText';

/** `text` without a quotation around it, where nothing in it can pass for a speaker or a divider or take in what follows; else in one. */
export function contained(text: string): string {
  const own = demoted(text);
  const tokens = lexMarkdown(`${own}\n\n${BEHIND}`)?.filter(({ type }) => type !== 'space');
  const last = tokens?.at(-1);
  const isClosed = last?.type === 'paragraph' && last.raw.trim() === BEHIND;
  const isPlain = tokens?.every(
    (token) => token.type !== 'hr' && !(token.type === 'heading' && token.depth <= SPEAKER_DEPTH),
  );
  return isClosed && isPlain ? own : quoted(text);
}

function demoted(text: string): string {
  let isCode = false;
  const lines = text.split('\n').map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode) return line;
    return line.replace(
      HEADING,
      (_, indent: string, marks: string) => indent + '#'.repeat(Math.min(DEEPEST, marks.length + SPEAKER_DEPTH)),
    );
  });
  return lines.join('\n');
}
