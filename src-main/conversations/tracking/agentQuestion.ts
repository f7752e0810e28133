import type { Extraction } from '../../contract/chat/extractor.ts';

const MAX_CHARS = 200;
/** Rows to leave out: an option, and a numbered line of a file that the dialog shows. */
const OPTION = /^(?:[›❯●>-]\s*)?(?:\d+|[A-Z])[.)]\s/;
const LISTED = /^\d+(?:\s|$)|^…$/;

/** The question of a waiting agent in its words, on one line: the dialog without its options. Null if no dialog is seen. */
export function agentQuestion({ messages, state }: Extraction): string | null {
  if (state !== 'needs_approval' && state !== 'needs_input') return null;
  const asked = messages.findLast(({ kind }) => kind === 'permission');
  if (!asked) return null;
  const lines = asked.text.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !OPTION.test(line) && !LISTED.test(line));
  const [first] = lines;
  const isHeadCut = first === '…'; // a preview taller than the screen: the question is below it
  const words = (isHeadCut ? said.slice(-1) : said).join(' · ');
  return words.length <= MAX_CHARS ? words : `${words.slice(0, MAX_CHARS - 1)}…`;
}
