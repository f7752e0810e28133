import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  MAX_SEARCH_LIMIT,
  type SearchEnd,
  type SearchEvent,
  type SearchHit,
  SearchPlace,
  SearchQuery,
} from '../../contract/search.ts';
import { searchHere } from '../../search/searchHere.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { parseCount } from '../print/options.ts';
import { printJson, printLines, remark } from '../print/output.ts';
import { parseMoment } from '../print/parseMoment.ts';
import { formatHit, mayHaveMore } from '../print/searchHit.ts';
import { findTerminal } from '../record/findBlocks.ts';
import type { LiveCore } from '../record/LiveCore.ts';
import { RecordReader } from '../record/RecordReader.ts';

const DEFAULT_LIMIT = 20;

export function addSearch(program: Command): void {
  program
    .command('search')
    .description('Search everything recorded')
    .argument('<query...>', 'words that must all occur, or "a phrase"; the last word may be incomplete')
    .addOption(new Option('-e, --exact', 'find this exact text within one line').conflicts('regex'))
    .option('-r, --regex', 'match each line against a JavaScript regular expression')
    .option('--in <places>', 'search only these places: cmd, output, chat (comma-separated)', parsePlaces)
    .option('-t, --terminal <id>', 'search only this terminal (an id, the start of one, or `last`)')
    .option('--cwd <folder>', 'search only commands that ran in this folder or below')
    .option('--since <time>', 'search only what began at this time or later: 2h, 1d, 14:03, 2026-01-31', parseTime)
    .option('--until <time>', 'search only what began at this time or earlier', parseTime)
    .option('--exit <code>', 'search only commands with this exit code: a number, `ok` or `failed`', parseExit)
    .option('-n, --limit <n>', `number of newest matches, at most ${MAX_SEARCH_LIMIT}`, parseLimit, DEFAULT_LIMIT)
    .option(
      '--json',
      'one JSON document: {version, by, hits, total, isTotalCapped, next, indexing, isResting, leftOut, notSearched}',
    )
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS, meanings: MEANINGS }))
    .action(search);
}

const NOTES = [
  'Words are looked up in the index of the running Hansard; case and accents are ignored. If Hansard is not running and the index is',
  'out of date, the files are read, and stderr says so. --exact and --regex always read the files; --exact is case-sensitive if the',
  'text has capitals. In a pipe each match is a line: terminal/block:line:text. Lines count from 1; `cmd` is the command itself.',
];
const EXAMPLES = [
  ['hansard search berth test', 'find blocks and messages with both words'],
  ['hansard search \'"not found"\' --exit failed --since 1d', 'find a phrase in commands that failed since yesterday'],
  ['hansard search --regex "E[0-9]{4}" --in output', 'find an expression in all output'],
  ['hansard search deploy --in cmd --json | jq ".hits[].cmd"', 'print matching commands as data'],
] as const;
const EXITS = ['ok', 'negative', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'] as const;
const MEANINGS = { ok: 'at least one match', negative: 'no match' };

interface SearchOptions {
  exact?: boolean;
  regex?: boolean;
  in?: SearchPlace[];
  terminal?: string;
  cwd?: string;
  since?: number;
  until?: number;
  exit?: number | 'ok' | 'failed';
  limit: number;
  json?: boolean;
}

async function search(words: string[], options: SearchOptions): Promise<void> {
  const record = await RecordReader.open();
  try {
    if (record.silence) remark(record.silence);
    const query = await toQuery(words, options, record);
    const events = record.core ? askCore(record.core, query) : searchHere(record.dataFolder, query);
    const end = await (options.json ? printDocument(events) : printHits(events));
    for (const fault of end.unread) noteUnread(record, fault, query);
    if (end.error !== null) throw new CliError(end.error, EXIT.usage);
    if (!options.json) tell(end, record.core !== null, query);
  } finally {
    record.dispose();
  }
}

/** A file that could not be read, or a machine that could not be asked. */
function noteUnread(record: RecordReader, fault: SearchEnd['unread'][number], { terminalId }: SearchQuery): void {
  const [, machine] = /^machine (.+)$/.exec(fault.path) ?? [];
  if (machine === undefined) return record.note(fault);
  const sentence = `${machine} was not searched: ${fault.reason}.`;
  if (terminalId !== undefined) throw new CliError(sentence, EXIT.unavailable);
  record.noteUnreached(sentence);
}

async function toQuery(words: string[], options: SearchOptions, record: RecordReader): Promise<SearchQuery> {
  const { exact, regex, in: places, terminal, cwd, since, until, exit, limit } = options;
  const found = SearchQuery.safeParse({
    query: words.join(' '),
    mode: regex ? 'regex' : exact ? 'exact' : 'words',
    limit,
    ...(places && { in: places }),
    ...(terminal !== undefined && { terminalId: (await findTerminal(record, terminal)).id }),
    ...(cwd !== undefined && { cwd: resolve(cwd) }),
    ...(since !== undefined && { sinceMs: since }),
    ...(until !== undefined && { untilMs: until }),
    ...(exit !== undefined && { exit }),
  });
  if (found.success) return found.data;
  throw new CliError('the query is too long: at most 1,000 characters.', EXIT.usage);
}

/** Has no time limit: an expression may have gigabytes to read, and Ctrl+C ends it. */
async function* askCore(core: LiveCore, query: SearchQuery): AsyncGenerator<SearchEvent> {
  const waiting: SearchEvent[] = [];
  let failure: Error | null = null;
  let wake = (): void => undefined;
  const following = core.connection.api.search.find.subscribe(query, {
    onData: (event) => {
      waiting.push(event);
      wake();
    },
    onError: (error) => {
      failure = new CliError(
        `the running Hansard (process ${core.pid}) could not search: ${error.message}`,
        EXIT.unavailable,
      );
      wake();
    },
  });
  try {
    for (;;) {
      const event = waiting.shift();
      if (event) yield event;
      if (event?.type === 'end') return;
      if (event) continue;
      if (failure) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    following.unsubscribe();
  }
}

async function printHits(events: AsyncGenerator<SearchEvent>): Promise<SearchEnd> {
  let isFirst = true;
  let cut = 0;
  for await (const event of events) {
    if (event.type === 'end') {
      if (cut > 0 && !process.stdout.isTTY)
        remark(`${cut} of these may have more matching lines: \`hansard block <id> -t <terminal> | grep\` gives all.`);
      return ended(event, isFirst);
    }
    for (const hit of event.hits) {
      await printLines(formatHit(hit, isFirst));
      cut += mayHaveMore(hit) ? 1 : 0;
    }
    isFirst = false;
  }
  throw new CliError('the search was cut off: try again.', EXIT.unavailable);
}

async function printDocument(events: AsyncGenerator<SearchEvent>): Promise<SearchEnd> {
  const hits: SearchHit[] = [];
  for await (const event of events) {
    if (event.type === 'hits') {
      hits.push(...event.hits);
      continue;
    }
    const { type: _type, error, ...rest } = event;
    if (error === null) await printJson({ version: 1, ...rest, hits });
    return ended(event, hits.length === 0);
  }
  throw new CliError('the search was cut off: try again.', EXIT.unavailable);
}

function ended(end: SearchEnd, isEmpty: boolean): SearchEnd {
  if (isEmpty) process.exitCode = EXIT.negative;
  return end;
}

/** Prints remarks about the search to stderr; the hits are on stdout. */
function tell(
  { by, total, isTotalCapped, next, indexing, isResting, leftOut, notSearched }: SearchEnd,
  isLive: boolean,
  query: SearchQuery,
): void {
  const percent = indexing && Math.floor((indexing.seen / Math.max(1, indexing.all)) * 100);
  if (percent !== null)
    remark(`the index is being built (${percent} %): older text may be missing. Search again later.`);
  if (isResting) remark('the disk is nearly full: the index rests, so every file was read.');
  if (by === 'files' && !isLive && query.mode === 'words')
    remark('there is no index that is up to date, so the files were read. A running Hansard keeps one.');
  if (by === 'index' && leftOut > 0)
    remark(
      `${leftOut} very long output${leftOut === 1 ? ' is' : 's are'} not read in full yet; a higher --limit reads them.`,
    );
  for (const { terminalId, id, lines } of notSearched)
    remark(
      lines
        ? `${terminalId}/${id}: ${lines.length === 1 ? 'line' : 'lines'} ${lines.map((n) => n + 1).join(', ')} not searched: too long.`
        : `${terminalId}/${id}: not searched: it takes too long.`,
    );
  if (next !== null && total !== null)
    remark(`the newest ${query.limit} of ${total}${isTotalCapped ? ' or more' : ''}.`);
  else if (next !== null) remark(`the newest ${query.limit}; there may be more.`);
}

function parsePlaces(text: string): SearchPlace[] {
  const places = text.split(',').map((place) => SearchPlace.safeParse(place.trim()));
  if (places.some(({ success }) => !success))
    throw new InvalidArgumentError('cmd, output, chat, or several with commas.');
  return [...new Set(places.flatMap(({ data }) => data ?? []))];
}

function parseTime(text: string): number {
  const moment = parseMoment(text, Date.now());
  if ('atSeq' in moment)
    throw new InvalidArgumentError('a time: 90s, 5m, 2h or 1d ago, 14:03, or a date (2026-01-31).');
  return moment.atMs;
}

function parseExit(text: string): number | 'ok' | 'failed' {
  if (text === 'ok' || text === 'failed') return text;
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('a number, `ok` or `failed`.');
  return Number(text);
}

function parseLimit(text: string): number {
  const limit = parseCount(text);
  if (limit > MAX_SEARCH_LIMIT) throw new InvalidArgumentError(`a whole number from 1 to ${MAX_SEARCH_LIMIT}.`);
  return limit;
}
