import { lexMarkdown } from '../lexMarkdown.ts';
import { quoted } from './fence.ts';

/** Heading level of speakers; headings in messages become deeper. */
const SPEAKER_DEPTH = 3;
const DEEPEST = 6;
const FENCE = /^[ \t>]*(?:`{3,}|~{3,})/;
const HEADING = /^( {0,3})(#{1,6})(?=\s|$)/;
/** Added after the text for the check: a construct that is open at the text's end would include it. */
const BEHIND = 'BehindTheText';

/** Returns `text`, quoted only if something in it could pass for a speaker or a divider or include the text that follows. */
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
