import { execFile } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SearchQuery } from '../../src-main/contract/search.ts';
import { findAppFiles } from '../../src-main/hosts/appFiles.ts';
import { EverywhereSearch } from '../../src-main/search/EverywhereSearch.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { type Figure, inTurns, median, type Row } from './Figure.ts';
import { isInstalled } from './peers.ts';
import { writeTerminal } from './writeRecord.ts';

const run = promisify(execFile);
const HITS = 20;
/** Megabytes of output per MB of `--mb`; 2 GB by default. */
const GROWTH = 20;
const TERMINALS = 4;
const BLOCKS_EACH = 20;
const LINE_BYTES = 60;
const FIRST_HITS_MS = 200;
/** Required disk space as a multiple of the output: room for the index and for other programs. */
const ROOM = 1.5;
const SLOWER_THAN_RG = 2;
const LOOK_MS = 200;

/** Search in a few very long outputs: the first hits from the index, and a text that only reading all output can rule out. */
export const row17: Row = async (options, say) => {
  const dataFolder = join(options.folder, 'row17');
  const lines = Math.ceil((options.megabytes * 1e6 * GROWTH) / (TERMINALS * BLOCKS_EACH * LINE_BYTES));
  const wanted = TERMINALS * BLOCKS_EACH * lines * LINE_BYTES;
  const { bavail, bsize } = statfsSync(options.folder);
  if (bavail * bsize < wanted * ROOM)
    throw new Error(`${wanted} bytes of output need ${ROOM} times the room on the disk`);
  for (let at = 0; at < TERMINALS; at += 1)
    writeTerminal(dataFolder, { id: `t${at}`, blocks: BLOCKS_EACH, linesOf: () => lines, isRepeated: true });
  const workerUrl = findAppFiles().searchWorker;
  const deps = { dataFolder, workerUrl, clock: systemClock, log: silentLog, flush: () => undefined }; // no command runs
  const search = new EverywhereSearch(deps);
  try {
    await built(search);
    const bytes = await outputBytes(dataFolder);
    say(`${Math.round(bytes / 1e6)} MB of output in ${TERMINALS * BLOCKS_EACH} blocks`);
    const words = { query: 'checked ', limit: HITS, in: ['output'] };
    await firstHits(search, words);
    const { looked } = await inTurns(options.runs, { looked: () => firstHits(search, words) });
    const figures: Figure[] = [
      {
        ...{
          row: 17,
          work: `search, first ${HITS} hits in ${Math.round(bytes / 1e6)} MB indexed`,
          value: median(looked),
        },
        ...{ unit: 'ms', runs: options.runs, against: null, ratio: null, target: `≤ ${FIRST_HITS_MS} ms` },
        isMet: median(looked) <= FIRST_HITS_MS,
      },
    ];
    if (isInstalled('rg')) figures.push(await reading(search, { dataFolder, bytes, runs: options.runs }));
    return figures;
  } finally {
    await search.stop();
  }
};

/** Search by reading all output for a text that it does not contain. */
async function reading(
  search: EverywhereSearch,
  { dataFolder, bytes, runs }: { dataFolder: string; bytes: number; runs: number },
): Promise<Figure> {
  const query = { query: 'Zanzibar', mode: 'exact', in: ['output'] };
  await firstHits(search, query);
  const { ours, theirs } = await inTurns(runs, {
    ours: () => firstHits(search, query),
    theirs: () => timeRg(dataFolder),
  });
  const ratio = median(ours) / median(theirs);
  const [rate, theirRate] = [bytes / 1e3 / median(ours), bytes / 1e3 / median(theirs)];
  return {
    ...{ row: 17, work: 'search by reading, text that stands nowhere', value: rate, unit: 'MB/s', runs },
    ...{ against: { name: 'rg over the .out files', value: theirRate }, ratio, target: `≤ ${SLOWER_THAN_RG} ×` },
    isMet: ratio <= SLOWER_THAN_RG,
  };
}

async function firstHits(search: EverywhereSearch, query: object): Promise<number> {
  const startMs = performance.now();
  let count = 0;
  for await (const event of search.find(SearchQuery.parse(query))) {
    if (event.type === 'end') break;
    count += event.hits.length;
    if (count >= HITS) break;
  }
  return performance.now() - startMs;
}

async function built(search: EverywhereSearch): Promise<void> {
  for (;;) {
    let isWhole = false;
    for await (const event of search.find(SearchQuery.parse({ query: 'anything', in: ['cmd'] })))
      if (event.type === 'end') isWhole = event.indexing === null;
    if (isWhole) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function outputBytes(dataFolder: string): Promise<number> {
  const { stdout } = await run('sh', ['-c', 'find "$1" -name "*.out" -printf "%s\\n"', 'sh', dataFolder]);
  return stdout.split('\n').reduce((sum, size) => sum + Number(size), 0);
}

async function timeRg(dataFolder: string): Promise<number> {
  const startMs = performance.now();
  await run('sh', ['-c', 'rg -F -g "*.out" Zanzibar "$1" > /dev/null || true', 'sh', dataFolder]);
  return performance.now() - startMs;
}
