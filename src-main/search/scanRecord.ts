import type { ChatMessage } from '../contract/chat/chat.ts';
import type { SearchHit, SearchQuery } from '../contract/search.ts';
import { messageText } from '../store/index/docs.ts';
import type { TextMatch } from '../store/index/WordMatcher.ts';
import { SnippetSelector } from './lines/pickLines.ts';
import { SLOW_PATTERN } from './lines/searchText.ts';
import { walkRecord } from './RecordWalk.ts';
import { messageHit } from './readHits.ts';
import { LATE, type Matcher, makeMatcher, type ScanContext, scanBlock, TOO_SLOW } from './scanBlock.ts';

export type Scanned =
  | { type: 'hit'; hit: SearchHit; cursor: string }
  /** The time is over; the last event. `skipped`: a block that alone takes longer than the limit. */
  | { type: 'late'; cursor: string | null; skipped: { terminalId: string; id: string } | null }
  /** For people: an invalid expression, or one that takes too long; the last event. */
  | { type: 'error'; reason: string };

/**
 * Searches by reading the files: exact over the whole record, also without an index. Newest first; needs the memory of one piece of a file. Ends
 * within a piece when its time is over or it is stopped.
 */
export async function* scanRecord(
  dataFolder: string,
  query: SearchQuery,
  { time, tally, onFault, onNotSearched }: ScanContext,
): AsyncGenerator<Scanned> {
  const matcher = makeMatcher(query);
  if (typeof matcher === 'string') return yield { type: 'error', reason: matcher };
  const wants = {
    blocks: query.in.some((place) => place !== 'chat'),
    messages: query.in.includes('chat') && query.cwd === undefined && query.exit === undefined,
  };
  const cursor = query.cursor === undefined ? null : Cursor.parse(query.cursor);
  let before: string | null = query.cursor ?? null;
  let isFirst = true;
  const { terminalId, without } = query;
  for await (const { folder, atMs, block, message } of walkRecord({
    dataFolder,
    terminalId,
    without,
    wants,
    onFault,
  })) {
    if (atMs < (query.sinceMs ?? 0)) return;
    const id = block?.id ?? message?.id ?? '';
    const isBefore = cursor?.passes(atMs, folder.id, id) === false;
    if (isBefore || atMs > (query.untilMs ?? Number.POSITIVE_INFINITY)) continue;
    const here = `${atMs}/${folder.id}/${id}`;
    const isInTime = await time.goesOn();
    const found =
      !isInTime && !isFirst
        ? LATE
        : block
          ? await scanBlock(folder, block, { query, matcher, tally, time, onFault, onNotSearched })
          : message && scanMessage(message, matcher);
    if (time.isStopped) return;
    if (found === LATE) {
      const skipped = isFirst ? { terminalId: folder.id, id } : null;
      return yield { type: 'late', cursor: skipped ? here : before, skipped };
    }
    const isFirstHere = isFirst;
    const previous = before;
    isFirst = false;
    before = here;
    if (found === TOO_SLOW && (isFirstHere || query.budgetMs === undefined))
      return yield { type: 'error', reason: `${SLOW_PATTERN} (one line of ${folder.id}.${id} needs too long)` };
    if (found === TOO_SLOW) return yield { type: 'late', cursor: previous, skipped: null };
    if (found) yield { type: 'hit', hit: found, cursor: here };
  }
}

/** Skips the items of earlier pages: all newer ones, and those of the same time up to the cursor's item. */
class Cursor {
  readonly #atMs: number;
  readonly #terminalId: string;
  readonly #id: string;
  #isPassed = false;

  private constructor(atMs: number, terminalId: string, id: string) {
    this.#atMs = atMs;
    this.#terminalId = terminalId;
    this.#id = id;
  }

  static parse(text: string): Cursor | null {
    const [atMs, terminalId, ...id] = text.split('/');
    return terminalId === undefined ? null : new Cursor(Number(atMs), terminalId, id.join('/'));
  }

  passes(atMs: number, terminalId: string, id: string): boolean {
    if (this.#isPassed || atMs < this.#atMs) return true;
    if (terminalId === this.#terminalId && id === this.#id) this.#isPassed = true;
    return false;
  }
}

function scanMessage(message: ChatMessage, matcher: Matcher): SearchHit | typeof TOO_SLOW | null {
  const doc = matcher.doc();
  const picker = new SnippetSelector(matcher.enough);
  if (!take(messageText(message).split('\n'), 0, { matcher, doc, picker })) return TOO_SLOW;
  const isFound = doc ? doc.missing.size === 0 : picker.result().lines.length > 0;
  return isFound ? messageHit(message, picker) : null;
}

/** False if the pattern ran out of time. */
function take(
  lines: readonly string[],
  from: number,
  { matcher, doc, picker }: { matcher: Matcher; doc: TextMatch | null; picker: SnippetSelector },
): boolean {
  const found = matcher.lines(lines);
  if (!found) return false;
  for (const [at, line] of lines.entries()) {
    doc?.take(line);
    const match = found[at];
    if (match) picker.take(from + at, line, match);
  }
  return true;
}
