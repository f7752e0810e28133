import { readFileSync, statSync } from 'node:fs';
import type { Block } from '../../contract/block.ts';
import type { ChatMessage } from '../../contract/chat.ts';
import type { BlockHit, Scanned as ReadSoFar, SearchHit, SearchQuery, SearchSpan } from '../../contract/search.ts';
import { messageText } from '../../store/index/docs.ts';
import { parseWords } from '../../store/index/parseWords.ts';
import { type TextMatch, WordMatcher } from '../../store/index/WordMatcher.ts';
import { type ReadFault, readFaultOf } from '../../store/readFault.ts';
import { streamOut } from '../../store/readRecord.ts';
import type { SessionFolder } from '../../store/SessionFolder.ts';
import { RedactingLines } from '../outside/RedactingLines.ts';
import { compilePattern, matchLines, SLOW_PATTERN } from '../searchText.ts';
import { LinePicker, type MatchLine } from './pickLines.ts';
import { walkRecord } from './RecordWalk.ts';
import { messageHit } from './readHits.ts';

/** Lines that are matched at a time. */
const BATCH_LINES = 2000;
/** An output up to this size is read in one go: opening a file costs more than reading it. */
const SMALL_BYTES = 64 * 1024;
/** The reader of a search that finds nothing is asked this often whether anybody still waits. */
const PAUSE_EVERY_MS = 20;

export type Scanned =
  | { type: 'hit'; hit: SearchHit; cursor: string }
  /** For people: a wrong expression, one that takes too long. The last thing that comes. */
  | { type: 'error'; reason: string };

/** What was read so far. */
export type Tally = { -readonly [Name in keyof ReadSoFar]: number };

/** How a query is matched: `lines` gives what it finds in each of them, null when a pattern ran out of time. */
interface Matcher {
  lines(lines: readonly string[]): (ReturnType<MatchLine> | null)[] | null;
  /** Score of a line that has everything. */
  enough: number;
  /** Of a query of words: what a whole doc must have. */
  doc(): TextMatch | null;
}

interface ScanContext {
  signal: AbortSignal | undefined;
  tally: Tally;
  /** A part of the record that could not be read; the search goes on. */
  onFault: (fault: ReadFault) => void;
}

/**
 * Searches by reading: exact over the whole record, and the answer where there is no index. Newest first; memory is that of a
 * batch of lines. Ends when `signal` aborts, at the next line batch or file.
 */
export async function* scanRecord(
  dataFolder: string,
  query: SearchQuery,
  { signal, tally, onFault }: ScanContext,
): AsyncGenerator<Scanned> {
  const matcher = makeMatcher(query);
  if (typeof matcher === 'string') return yield { type: 'error', reason: matcher };
  const wants = {
    blocks: query.in.some((place) => place !== 'chat'),
    messages: query.in.includes('chat') && query.cwd === undefined && query.exit === undefined,
  };
  const cursor = query.cursor === undefined ? null : Cursor.parse(query.cursor);
  let pausedMs = performance.now();
  const { terminalId, without } = query;
  for await (const { folder, atMs, block, message } of walkRecord({
    dataFolder,
    terminalId,
    without,
    wants,
    onFault,
  })) {
    if (signal?.aborted || atMs < (query.sinceMs ?? 0)) return;
    if (performance.now() - pausedMs > PAUSE_EVERY_MS) {
      await new Promise((resolve) => setImmediate(resolve)); // small files are read without one
      pausedMs = performance.now();
    }
    const id = block?.id ?? message?.id ?? '';
    const isBefore = cursor?.passes(atMs, folder.id, id) === false;
    if (isBefore || atMs > (query.untilMs ?? Number.POSITIVE_INFINITY)) continue;
    const found = block
      ? await scanBlock(folder, block, { query, matcher, tally, onFault })
      : message && scanMessage(message, matcher);
    if (found === TOO_SLOW) return yield { type: 'error', reason: SLOW_PATTERN };
    if (found) yield { type: 'hit', hit: found, cursor: `${atMs}/${folder.id}/${id}` };
  }
}

const TOO_SLOW = Symbol('too slow');

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
      doc: () => matcher.text(),
    };
  }
  const compiled = compilePattern(query, mode === 'regex', flags);
  if (!compiled.ok) return compiled.error;
  const lines = (all: readonly string[]): (ReturnType<MatchLine> | null)[] | null => {
    const { spans, slowLine } = matchLines(compiled.pattern, all);
    return slowLine === null ? spans.map((own) => own && { spans: own, score: 1 }) : null;
  };
  return { lines, enough: 1, doc: () => null };
}

async function scanBlock(
  folder: SessionFolder,
  block: Block,
  { query, matcher, tally, onFault }: Pick<ScanContext, 'tally' | 'onFault'> & { query: SearchQuery; matcher: Matcher },
): Promise<BlockHit | typeof TOO_SLOW | null> {
  if (!isWanted(block, query)) return null;
  const doc = matcher.doc();
  const shown = shownOf(block, query, tally);
  const { cmd } = shown;
  const cmdSpans = query.in.includes('cmd') && cmd !== null ? matchCommand(cmd, matcher, doc) : [];
  if (cmdSpans === TOO_SLOW) return TOO_SLOW;
  doc?.nextText();
  const picker = new LinePicker(matcher.enough);
  if (query.in.includes('output')) {
    let n = 0;
    for await (const read of readableBatches(folder, block, { tally, onFault })) {
      const lines = shown.lines(read);
      if (!take(lines, n, { matcher, doc, picker })) return TOO_SLOW;
      n += lines.length;
      if (picker.isFull && (doc?.missing.size ?? 0) === 0) break;
    }
  }
  const result = picker.result();
  const isFound = doc ? doc.missing.size === 0 : cmdSpans.length > 0 || result.lines.length > 0;
  if (!isFound) return null;
  const { terminalId, id, startedMs, cwd, exitCode, status } = block;
  return { type: 'block', terminalId, id, atMs: startedMs, cmd, cmdSpans, cwd, exitCode, status, ...result };
}

/** What of a block may be searched and told. */
function shownOf(
  { cmd }: Block,
  { withoutSecrets }: SearchQuery,
  tally: Tally,
): { cmd: string | null; lines(read: readonly string[]): readonly string[] } {
  tally.blocks += 1;
  if (!withoutSecrets) return { cmd, lines: (read) => read };
  const through = (redacting: RedactingLines, read: readonly string[]): readonly string[] => {
    const known = redacting.redactions;
    const lines = redacting.take(read);
    tally.redactions += redacting.redactions - known;
    return lines;
  };
  const output = new RedactingLines();
  return {
    cmd: cmd === null ? null : through(new RedactingLines(), cmd.split('\n')).join('\n'),
    lines: (read) => through(output, read),
  };
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

/** The lines of an output up to where it cannot be read, which is noted. */
async function* readableBatches(
  folder: SessionFolder,
  block: Block,
  { tally, onFault }: Pick<ScanContext, 'tally' | 'onFault'>,
): AsyncGenerator<string[]> {
  const path = folder.out(block.id);
  let isEmpty = true;
  try {
    for await (const lines of batchesOf(folder, block, tally)) {
      isEmpty &&= lines.length === 0;
      yield lines;
    }
    const isMissing = isEmpty && block.status === 'completed' && block.outputLines > 0 && !block.ephemeral;
    if (isMissing) onFault({ path, reason: `is not there, or empty: ${block.outputLines} lines were not searched` });
  } catch (error) {
    const fault = readFaultOf(error, path);
    if (!fault) throw error;
    onFault(fault);
  }
}

async function* batchesOf(folder: SessionFolder, block: Block, tally: Tally): AsyncGenerator<string[]> {
  if (block.status === 'completed' && block.outputLines === 0) return;
  const small = readSmall(folder.out(block.id));
  tally.bytes += Buffer.byteLength(small ?? '');
  if (small !== null) return yield withoutLastEmpty(small.split('\n'));
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of streamOut(folder, block.id)) {
    tally.bytes += bytes.length;
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (let at = 0; at < lines.length; at += BATCH_LINES) yield lines.slice(at, at + BATCH_LINES);
  }
  rest += decoder.decode();
  if (rest !== '') yield [rest];
}

function withoutLastEmpty(lines: string[]): string[] {
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Null for a file that is large, compressed or not there. */
function readSmall(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= SMALL_BYTES ? readFileSync(path, 'utf8') : null;
}
