import { execFile } from 'node:child_process';
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ChatMessage } from '../../src-main/contract/chat/chat.ts';
import { type SearchEnd, SearchQuery } from '../../src-main/contract/search.ts';
import { findAppFiles } from '../../src-main/hosts/appFiles.ts';
import { EverywhereSearch } from '../../src-main/search/EverywhereSearch.ts';
import { indexPath } from '../../src-main/store/index/IndexFile.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { type Figure, inTurns, median, type Row } from './Figure.ts';
import { isInstalled } from './peers.ts';
import { writeTerminal } from './writeRecord.ts';

const run = promisify(execFile);
const TERMINALS = 50;
const BLOCKS_EACH = 2_000;
const MESSAGES_EACH = 200;
const HITS = 20;
const TARGET = 0.05;
const LOOK_MS = 200;
/** Queries, and the expressions with which `rg` finds the same lines. */
const QUERIES = [
  { name: 'in every block', query: 'checked ', rg: '\\bchecked\\b' },
  { name: 'in one block of a hundred', query: '"part-42/file-1"', rg: 'part-42/file-1\\b' },
  { name: 'nowhere', query: 'zanzibar', rg: 'zanzibar' },
  { name: 'in conversations', query: 'low water harb', rg: 'low water harb' },
] as const;

/**
 * The window's search everywhere, with the worker's answer and the lines read from the files, against `rg` over the same folder.
 * Each query runs once before the measurement, so that both find the files in the page cache.
 */
export const row6: Row = async (options, say) => {
  if (!isInstalled('rg')) {
    say('skipped: rg is not installed');
    return [];
  }
  const dataFolder = join(options.folder, 'row6');
  say(`writing ${TERMINALS * BLOCKS_EACH} blocks and ${TERMINALS * MESSAGES_EACH} messages`);
  let bytes = 0;
  for (let at = 0; at < TERMINALS; at++) bytes += writeOne(dataFolder, `t${at}`);
  const search = new EverywhereSearch({
    dataFolder,
    workerUrl: findAppFiles().searchWorker,
    clock: systemClock,
    log: silentLog,
    flush: () => undefined, // no command runs
  });
  try {
    const builtMs = await build(search);
    const size = statSync(indexPath(dataFolder)).size;
    say(
      `index of ${Math.round(size / 1e6)} MB built in ${Math.round(builtMs / 1000)} s from ${Math.round(bytes / 1e6)} MB`,
    );
    const figures: Figure[] = [];
    for (const one of QUERIES) figures.push(await measure(one, { search, dataFolder, runs: options.runs }));
    return figures;
  } finally {
    await search.stop();
  }
};

async function measure(
  { name, query, rg }: (typeof QUERIES)[number],
  { search, dataFolder, runs }: { search: EverywhereSearch; dataFolder: string; runs: number },
): Promise<Figure> {
  await timeSearch(search, query);
  const { ours, theirs } = await inTurns(runs, {
    ours: () => timeSearch(search, query),
    theirs: () => timeRg(rg, dataFolder),
  });
  const ratio = median(ours) / median(theirs);
  return {
    row: 6,
    work: `search, first ${HITS} hits, ${name}`,
    value: median(ours),
    unit: 'ms',
    runs,
    against: { name: 'rg over the folder', value: median(theirs) },
    ratio,
    target: `≤ ${TARGET} ×`,
    isMet: ratio <= TARGET,
  };
}

async function timeSearch(search: EverywhereSearch, query: string): Promise<number> {
  const startMs = performance.now();
  await ask(search, query);
  return performance.now() - startMs;
}

async function ask(search: EverywhereSearch, query: string): Promise<SearchEnd> {
  for await (const event of search.find(SearchQuery.parse({ query, limit: HITS })))
    if (event.type === 'end') return event;
  throw new Error('the search came to no end');
}

async function timeRg(pattern: string, dataFolder: string): Promise<number> {
  const startMs = performance.now();
  await run('sh', ['-c', 'rg -i -g "*.out" -g "*.jsonl" -e "$1" "$2" > /dev/null || true', 'sh', pattern, dataFolder]);
  return performance.now() - startMs;
}

async function build(search: EverywhereSearch): Promise<number> {
  const startMs = performance.now();
  while ((await ask(search, 'anything')).indexing !== null)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return performance.now() - startMs;
}

function writeOne(dataFolder: string, id: string): number {
  const bytes = writeTerminal(dataFolder, {
    id,
    blocks: BLOCKS_EACH,
    linesOf: (seq) => (seq % 50 === 0 ? 200 : seq % 12),
  });
  const folder = new SessionFolder(dataFolder, id);
  let lines = '';
  for (let n = 0; n < MESSAGES_EACH; n++) lines += `${JSON.stringify(message(id, n))}\n`;
  appendFileSync(folder.chatJsonl, lines, { mode: 0o600 });
  return bytes + lines.length;
}

function message(terminalId: string, n: number): ChatMessage {
  const startedMs = Date.UTC(2026, 8, 1) + n * 600_000;
  const provenance = { rawStart: 0, rawEnd: 0, seq: n, extractor: 'bench', extractorVersion: 1, confidence: 1 };
  const text = Array.from(
    { length: 8 },
    (_, line) =>
      `Point ${line}: berth ${(n * 31 + line) % 97} is dry at ${n % 9 === 0 ? 'low water harbour' : 'no time'}.`,
  );
  return ChatMessage.parse({
    ...{ id: `m${n}`, terminalId, conversationId: `c${n % 7}`, order: n, kind: n % 2 ? 'model' : 'user' },
    ...{ text: text.join('\n'), final: true, startedMs, updatedMs: startedMs, provenance },
  });
}
