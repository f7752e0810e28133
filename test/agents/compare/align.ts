import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { leadText } from '../../../src-main/contract/chat/leadText.ts';
import type { ExpectedMessage } from './expected.ts';
import { isBeginningOf, likeness, plainOf, squeeze } from './texts.ts';

/** Minimum likeness of two versions of one message. */
const ALIKE = 0.5;

export interface Aligned {
  readonly pairs: readonly { readonly wanted: ExpectedMessage; readonly got: ChatMessage }[];
  readonly missing: readonly ExpectedMessage[];
  readonly extra: readonly ChatMessage[];
}

/** Pairs recorded messages with the script's, in order and with the greatest total likeness. */
export function align(wanted: readonly ExpectedMessage[], got: readonly ChatMessage[]): Aligned {
  const table = Array.from({ length: wanted.length + 1 }, () => new Float64Array(got.length + 1));
  const at = (row: number, col: number) => table[row]?.[col] ?? 0;
  const scores = wanted.map((message) => got.map((other) => scoreOf(message, other)));
  for (let row = wanted.length - 1; row >= 0; row -= 1) {
    for (let col = got.length - 1; col >= 0; col -= 1) {
      const score = scores[row]?.[col] ?? 0;
      const paired = score > 0 ? score + at(row + 1, col + 1) : 0;
      const line = table[row];
      if (line) line[col] = Math.max(paired, at(row + 1, col), at(row, col + 1));
    }
  }
  return follow(wanted, got, { at, scores });
}

function follow(
  wanted: readonly ExpectedMessage[],
  got: readonly ChatMessage[],
  { at, scores }: { at: (row: number, col: number) => number; scores: number[][] },
): Aligned {
  const pairs: { wanted: ExpectedMessage; got: ChatMessage }[] = [];
  const paired = new Set<ExpectedMessage | ChatMessage>();
  let [row, col] = [0, 0];
  while (row < wanted.length && col < got.length) {
    const [mine, theirs] = [wanted[row], got[col]];
    const score = scores[row]?.[col] ?? 0;
    if (mine && theirs && score > 0 && at(row, col) === score + at(row + 1, col + 1)) {
      pairs.push({ wanted: mine, got: theirs });
      paired.add(mine).add(theirs);
      row += 1;
      col += 1;
    } else if (at(row, col) === at(row + 1, col)) row += 1;
    else col += 1;
  }
  return { pairs, missing: wanted.filter((one) => !paired.has(one)), extra: got.filter((one) => !paired.has(one)) };
}

/** Score of a pair; 0 if the two cannot be the same message. */
function scoreOf(wanted: ExpectedMessage, got: ChatMessage): number {
  if (wanted.kind !== got.kind) return 0;
  if (wanted.kind === 'toolCall') return 1 + likeness(squeeze(wanted.text), squeeze(got.tool?.input ?? got.text));
  if (wanted.sentChars !== undefined && plainOf(got.text) !== '' && isBeginningOf(got.text, wanted.text)) return 1;
  // Only the sent part can be there. A text that the screen showed in part is found if the log's text is shown in its place.
  const mine = plainOf(wanted.text.slice(0, wanted.sentChars));
  const alike = Math.max(...[got.text, leadText(got)].map((text) => likeness(mine, plainOf(text))));
  return alike >= ALIKE ? alike : 0;
}
