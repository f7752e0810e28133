import { lstatSync, readFileSync } from 'node:fs';
import type { Block } from '../contract/block.ts';
import type { BlockHit, NotSearched, Scanned as ReadSoFar, SearchQuery, SearchSpan } from '../contract/search.ts';
import { redactText } from '../redaction/redactText.ts';
import { type ReadFault, untilFault } from '../store/files/readFault.ts';
import { parseWords } from '../store/index/parseWords.ts';
import { type TextMatch, WordMatcher } from '../store/index/WordMatcher.ts';
import { streamOut } from '../store/record/readRecord.ts';
import type { SessionFolder } from '../store/record/SessionFolder.ts';
import { ByteScanner, scanPieces } from './ByteScanner.ts';
import { hintOf } from './lines/LineHint.ts';
import { type MatchLine, SnippetSelector } from './lines/pickLines.ts';
import { RedactingBytes } from './lines/RedactingBytes.ts';
import { type CompiledPattern, compilePattern, matchLines } from './lines/searchText.ts';
import type { SearchTime } from './SearchTime.ts';
import { scanWords } from './scanWords.ts';

/** An output up to this size is read in one call: opening a file costs more than reading it. */
const SMALL_BYTES = 64 * 1024;

/** Counts of what was read so far. */
export type Tally = { -readonly [Name in keyof ReadSoFar]: number };

/** The fields of a block that a search in the files needs. */
export type SearchedBlock = Pick<
  Block,
  'terminalId' | 'id' | 'cmd' | 'cwd' | 'startedMs' | 'exitCode' | 'status' | 'outputLines' | 'ephemeral'
>;

/** A compiled query. `lines` returns the matches of each line, or null if a pattern ran out of time. */
export interface Matcher {
  /** For a query of words. */
  words: WordMatcher | null;
  /** For any other query. */
  compiled: Extract<CompiledPattern, { ok: true }> | null;
  lines(lines: readonly string[]): (ReturnType<MatchLine> | null)[] | null;
  /** Score of a line with all parts of the query. */
  enough: number;
  /** For a query of words: matches across a whole doc. */
  doc(): TextMatch | null;
}

export interface ScanContext {
  time: SearchTime;
  tally: Tally;
  /** Reports an unreadable part of the record; the search continues. */
  onFault: (fault: ReadFault) => void;
  onNotSearched: (one: NotSearched) => void;
}

export const TOO_SLOW = Symbol('too slow');
export const LATE = Symbol('late');

/** Returns a sentence for people if the query is invalid. */
export function makeMatcher({ query, mode, flags }: SearchQuery): Matcher | string {
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

/** The hit of one block, by reading its output; `query` says which parts of the block are searched. */
export async function scanBlock(
  folder: SessionFolder,
  block: SearchedBlock,
  { query, matcher, tally, time, onFault, onNotSearched }: ScanContext & { query: SearchQuery; matcher: Matcher },
): Promise<BlockHit | typeof TOO_SLOW | typeof LATE | null> {
  if (!isWanted(block, query)) return null;
  const doc = matcher.doc();
  const cmd = commandOf(block, query, tally);
  const cmdSpans = query.in.includes('cmd') && cmd !== null ? matchCommand(cmd, matcher, doc) : [];
  if (cmdSpans === TOO_SLOW) return TOO_SLOW;
  doc?.nextText();
  const picker = new SnippetSelector(matcher.enough);
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

/** The reason why it stopped before the end of the output, or null. */
async function scanPiecesOf(
  pieces: AsyncIterable<Uint8Array>,
  wish: {
    matcher: Matcher;
    doc: TextMatch | null;
    picker: SnippetSelector;
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
function commandOf({ cmd }: SearchedBlock, { withoutSecrets: isRedacted }: SearchQuery, tally: Tally): string | null {
  tally.blocks += 1;
  if (cmd === null || !isRedacted) return cmd;
  const { text, redactions } = redactText(cmd);
  tally.redactions += redactions;
  return text;
}

/** A command may have several lines: words match across them, an expression within one. Columns are those of the whole command. */
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

function isWanted({ cwd, exitCode }: SearchedBlock, query: SearchQuery): boolean {
  const folder = query.cwd?.replace(/(?<=.)\/+$/, '');
  if (folder !== undefined && cwd !== folder && !cwd?.startsWith(folder === '/' ? '/' : `${folder}/`)) return false;
  if (query.exit === undefined) return true;
  if (query.exit === 'failed') return exitCode !== null && exitCode !== 0;
  return exitCode === (query.exit === 'ok' ? 0 : query.exit);
}

/** The pieces of an output up to an unreadable one, which is reported; a missing output is reported too. */
async function* readablePieces(
  folder: SessionFolder,
  block: SearchedBlock,
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
  const lines = block.outputLines === 1 ? '1 line was' : `${block.outputLines} lines were`;
  if (isMissing) onFault({ path, reason: `is not there, or empty: ${lines} not searched` });
}

async function* piecesOf(folder: SessionFolder, block: SearchedBlock, tally: Tally): AsyncGenerator<Uint8Array> {
  if (block.status === 'completed' && block.outputLines === 0) return;
  const small = readSmall(folder.out(block.id));
  tally.bytes += small?.length ?? 0;
  if (small !== null) return yield small;
  for await (const bytes of streamOut(folder, block.id)) {
    tally.bytes += bytes.length;
    yield bytes;
  }
}

/** Null for a large, compressed or missing file, and for what is not a file: the stream reports it. */
function readSmall(path: string): Buffer | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= SMALL_BYTES ? readFileSync(path) : null;
}
