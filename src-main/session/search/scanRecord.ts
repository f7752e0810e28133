import { readFileSync, statSync } from 'node:fs';
import type { Block } from '../../contract/block.ts';
import type { ChatMessage } from '../../contract/chat.ts';
import type {
  BlockHit,
  NotSearched,
  Scanned as ReadSoFar,
  SearchHit,
  SearchQuery,
  SearchSpan,
} from '../../contract/search.ts';
import { messageText } from '../../store/index/docs.ts';
import { parseWords } from '../../store/index/parseWords.ts';
import { type TextMatch, WordMatcher } from '../../store/index/WordMatcher.ts';
import { type ReadFault, untilFault } from '../../store/readFault.ts';
import { streamOut } from '../../store/readRecord.ts';
import type { SessionFolder } from '../../store/SessionFolder.ts';
import { withoutSecrets } from '../outside/withoutSecrets.ts';
import { ByteScanner, scanPieces } from '../scan/ByteScanner.ts';
import { hintOf } from '../scan/LineHint.ts';
import { RedactingBytes } from '../scan/RedactingBytes.ts';
import { type CompiledPattern, compilePattern, matchLines, SLOW_PATTERN } from '../searchText.ts';
import { LinePicker, type MatchLine } from './pickLines.ts';
import { walkRecord } from './RecordWalk.ts';
import { messageHit } from './readHits.ts';
import type { SearchTime } from './SearchTime.ts';
import { scanWords } from './scanWords.ts';

/** An output up to this size is read in one go: opening a file costs more than reading it. */
const SMALL_BYTES = 64 * 1024;

export type Scanned =
  | { type: 'hit'; hit: SearchHit; cursor: string }
  /** The time is over. The last thing that comes; `skipped` alone takes longer than there is. */
  | { type: 'late'; cursor: string | null; skipped: { terminalId: string; id: string } | null }
  /** For people: a wrong expression, one that takes too long. The last thing that comes. */
  | { type: 'error'; reason: string };

/** What was read so far. */
export type Tally = { -readonly [Name in keyof ReadSoFar]: number };

/** How a query is matched: `lines` gives what it finds in each of them, null when a pattern ran out of time. */
interface Matcher {
  /** Of a query of words. */
  words: WordMatcher | null;
  /** Of any other. */
  compiled: Extract<CompiledPattern, { ok: true }> | null;
  lines(lines: readonly string[]): (ReturnType<MatchLine> | null)[] | null;
  /** Score of a line that has everything. */
  enough: number;
  /** Of a query of words: what a whole doc must have. */
  doc(): TextMatch | null;
}

interface ScanContext {
  time: SearchTime;
  tally: Tally;
  /** A part of the record that could not be read; the search goes on. */
  onFault: (fault: ReadFault) => void;
  onNotSearched: (one: NotSearched) => void;
}

/**
 * Searches by reading: exact over the whole record, and the answer where there is no index. Newest first; memory is that of a
 * piece of a file. Ends when its time is over or it is stopped, within a piece.
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

const TOO_SLOW = Symbol('too slow');
const LATE = Symbol('late');

/** Passes over what an earlier page has given: all that is newer, and what stands at the same time up to that item. */
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

/** A sentence for people where the query is none. */
function makeMatcher({ query, mode, flags }: SearchQuery): Matcher | string {
  const phrases = mode === 'words' ? parseWords(query) : [];
  if (phrases.length > 0) {
    const matcher = new WordMatcher(phrases);
    return {
      lines: (lines) => lines.map((line) => matcher.line(line)),
      enough: matcher.size,
      words: matcher,
      compiled: null,
      doc: () => matcher.text(),
    };
  }
  const compiled = compilePattern(query, mode === 'regex', flags);
  if (!compiled.ok) return compiled.error;
  const lines = (all: readonly string[]): (ReturnType<MatchLine> | null)[] | null => {
    const { spans, slowLine } = matchLines(compiled.pattern, all);
    return slowLine === null ? spans.map((own) => own && { spans: own, score: 1 }) : null;
  };
  return { lines, enough: 1, doc: () => null, words: null, compiled };
}

async function scanBlock(
  folder: SessionFolder,
  block: Block,
  { query, matcher, tally, time, onFault, onNotSearched }: ScanContext & { query: SearchQuery; matcher: Matcher },
): Promise<BlockHit | typeof TOO_SLOW | typeof LATE | null> {
  if (!isWanted(block, query)) return null;
  const doc = matcher.doc();
  const cmd = commandOf(block, query, tally);
  const cmdSpans = query.in.includes('cmd') && cmd !== null ? matchCommand(cmd, matcher, doc) : [];
  if (cmdSpans === TOO_SLOW) return TOO_SLOW;
  doc?.nextText();
  const picker = new LinePicker(matcher.enough);
  if (query.in.includes('output')) {
    const redacting = query.withoutSecrets ? new RedactingBytes() : null;
    const shownBytes = redacting ? { shown: (lines: Buffer) => redacting.take(lines) } : {};
    const pieces = readablePieces(folder, block, { tally, onFault });
    const onTooLong = (lines: readonly number[]): void =>
      onNotSearched({ terminalId: block.terminalId, id: block.id, lines });
    const outcome = await scanPiecesOf(pieces, { matcher, doc, picker, time, onTooLong, ...shownBytes });
    tally.redactions += redacting?.redactions ?? 0;
    if (outcome) return outcome;
  }
  const result = picker.result();
  const isFound = doc ? doc.missing.size === 0 : cmdSpans.length > 0 || result.lines.length > 0;
  if (!isFound) return null;
  const { terminalId, id, startedMs, cwd, exitCode, status } = block;
  return { type: 'block', terminalId, id, atMs: startedMs, cmd, cmdSpans, cwd, exitCode, status, ...result };
}

/** What stopped it before the end of the output, or null. */
async function scanPiecesOf(
  pieces: AsyncIterable<Uint8Array>,
  wish: {
    matcher: Matcher;
    doc: TextMatch | null;
    picker: LinePicker;
    time: SearchTime;
    onTooLong: (lines: readonly number[]) => void;
    shown?: (lines: Buffer) => Buffer;
  },
): Promise<typeof TOO_SLOW | typeof LATE | null> {
  const { matcher, doc, picker, time, shown, onTooLong } = wish;
  const { words, compiled } = matcher;
  if (words && doc)
    return (await scanWords(pieces, { matcher: words, doc, picker, time, shown, onTooLong })) ? null : LATE;
  if (!compiled) return null;
  const hint = hintOf(compiled.source, compiled.flags);
  const scanner = new ByteScanner({ pattern: compiled.pattern, hint, ...(shown && { shown }) });
  for await (const line of scanPieces(scanner, pieces)) {
    if (line?.spans) picker.take(line.n, line.text, { spans: line.spans, score: 1 });
    else if (!(await time.goesOn())) return LATE;
    if (picker.isFull) return null;
  }
  if (scanner.tooLong.length > 0) onTooLong(scanner.tooLong);
  return scanner.slowLine === null ? null : TOO_SLOW;
}

/** The command in the form that may be searched and shown. */
function commandOf({ cmd }: Block, { withoutSecrets: isRedacted }: SearchQuery, tally: Tally): string | null {
  tally.blocks += 1;
  if (cmd === null || !isRedacted) return cmd;
  const { text, redactions } = withoutSecrets(cmd);
  tally.redactions += redactions;
  return text;
}

function scanMessage(message: ChatMessage, matcher: Matcher): SearchHit | typeof TOO_SLOW | null {
  const doc = matcher.doc();
  const picker = new LinePicker(matcher.enough);
  if (!take(messageText(message).split('\n'), 0, { matcher, doc, picker })) return TOO_SLOW;
  const isFound = doc ? doc.missing.size === 0 : picker.result().lines.length > 0;
  return isFound ? messageHit(message, picker) : null;
}

/** A command may have lines, over which words go on and an expression does not; columns are those of the whole. */
function matchCommand(cmd: string, matcher: Matcher, doc: TextMatch | null): SearchSpan[] | typeof TOO_SLOW {
  const spans: SearchSpan[] = [];
  const lines = doc ? [cmd] : cmd.split('\n');
  const found = matcher.lines(lines);
  if (!found) return TOO_SLOW;
  let column = 0;
  for (const [at, line] of lines.entries()) {
    doc?.take(line);
    for (const { start, end } of found[at]?.spans ?? []) spans.push({ start: start + column, end: end + column });
    column += line.length + 1;
  }
  return spans;
}

/** False when the pattern ran out of its time. */
function take(
  lines: readonly string[],
  from: number,
  { matcher, doc, picker }: { matcher: Matcher; doc: TextMatch | null; picker: LinePicker },
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

function isWanted({ cwd, exitCode }: Block, query: SearchQuery): boolean {
  const folder = query.cwd?.replace(/(?<=.)\/+$/, '');
  if (folder !== undefined && cwd !== folder && !cwd?.startsWith(folder === '/' ? '/' : `${folder}/`)) return false;
  if (query.exit === undefined) return true;
  if (query.exit === 'failed') return exitCode !== null && exitCode !== 0;
  return exitCode === (query.exit === 'ok' ? 0 : query.exit);
}

/** An output up to where it cannot be read, which is reported; so is one that is missing. */
async function* readablePieces(
  folder: SessionFolder,
  block: Block,
  { tally, onFault }: Pick<ScanContext, 'tally' | 'onFault'>,
): AsyncGenerator<Uint8Array> {
  const path = folder.out(block.id);
  const before = tally.bytes;
  let hasFault = false;
  const note = (fault: ReadFault): void => {
    hasFault = true;
    onFault(fault);
  };
  yield* untilFault(piecesOf(folder, block, tally), { path, onFault: note });
  const isMissing =
    !hasFault && tally.bytes === before && block.status === 'completed' && block.outputLines > 0 && !block.ephemeral;
  if (isMissing) onFault({ path, reason: `is not there, or empty: ${block.outputLines} lines were not searched` });
}

async function* piecesOf(folder: SessionFolder, block: Block, tally: Tally): AsyncGenerator<Uint8Array> {
  if (block.status === 'completed' && block.outputLines === 0) return;
  const small = readSmall(folder.out(block.id));
  tally.bytes += small?.length ?? 0;
  if (small !== null) return yield small;
  for await (const bytes of streamOut(folder, block.id)) {
    tally.bytes += bytes.length;
    yield bytes;
  }
}

/** Null for a file that is large, compressed or not there. */
function readSmall(path: string): Buffer | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= SMALL_BYTES ? readFileSync(path) : null;
}
