// The rig: plays cases with real agents through the app. `node test/agents/run.ts --help` lists the options.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { randomName } from './cases/random.ts';
import { type Cell, type ChosenAgent, chooseCells, nameOf } from './cells.ts';
import { chatOfRecording } from './compare/chatOfRecording.ts';
import { addScores, type Comparison, compare, emptyScore, isPerfect } from './compare/compare.ts';
import { findRecordings, VERSIONS } from './compare/findRecordings.ts';
import { formatScores, type ScoredCase } from './compare/formatScores.ts';
import { inJobs, runApart } from './jobs.ts';
import { installedVersion } from './launch/Agent.ts';
import { AGENTS } from './launch/agents.ts';
import { installAgent } from './launch/install.ts';
import { parseAgent, RigError } from './launch/versions.ts';
import { type Played, playCell } from './playCell.ts';
import { formatResults } from './results/formatResults.ts';
import { type RandomRun, randomRunOf, repeatCommand, saveRandomRun } from './results/randomRuns.ts';
import { isSettled, type Result, readResults, saveResult, shortened } from './results/results.ts';
import { type FiguresRow, measureAll, saveRun } from './versions/figures.ts';

/** Default agents for random scripts. */
const RANDOM_AGENTS = ['claude', 'gemini', 'codex', 'opencode'];

const HELP = `node test/agents/run.ts [options]
  --agent NAME,...    these agents only (${AGENTS.map(({ name }) => name).join(', ')})
  --agent NAME@VERSION,...
                      that version, or a tag such as latest: it is installed from npm into a cache folder, plays the case "basic",
                      and its recording and its line in the table of versions (test/agents/README.md) are kept
  --case NAME,...     these cases only
  --random N          N scripts composed from seeds, in place of the cases (${RANDOM_AGENTS.join(', ')} where no agent is named)
  --seed S            the first of their seeds; the same seed is the same script, also as --case random-S
  --variant NAME,...  other ways to start the agent than its default (classic, inline)
  --width COLS,...    of the terminal (100)
  --height ROWS       of the terminal (30)
  --resize            the window gets narrower by a third once the first answer has begun, and is as before at the next turn
  --jobs N            so many runs at once (1)
  --save              write each run's score into test/agents/results.json, in the place of its last one; of random scripts into
                      random.json and the table of random scripts (test/agents/README.md)
  --missing           those only that results.json does not have, or not without a fault, of the version that is installed
  --measure           read the recordings of versions again, and write figures.json and the table of versions
  --table             print results.json, condensed, and play nothing
  --brief             with --table: all widths in one line
  --record            write the recordings into test/fixtures/agents
  --keep FOLDER       write the recordings into a folder, also of cases that went wrong
  --replay            play the recordings of test/fixtures/agents in place of the agents: nothing needs to be installed
  --from FOLDER       with --replay: recordings of another folder, such as one of --keep
  --offline           compare what the recording's screens tell, not what the app recorded while it ran
  --quiet             the table only, without what is wrong
The agents are installed by \`npm ci\` in test/agents. Those that are not installed are skipped.`;

const FIXTURES = new URL('../fixtures/agents', import.meta.url).pathname;
const SCRIPT = new URL(import.meta.url).pathname;

const { values } = parseArgs({
  options: {
    agent: { type: 'string' },
    case: { type: 'string' },
    random: { type: 'string' },
    seed: { type: 'string' },
    variant: { type: 'string', default: 'default' },
    width: { type: 'string', default: '100' },
    height: { type: 'string', default: '30' },
    resize: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
    save: { type: 'boolean', default: false },
    missing: { type: 'boolean', default: false },
    measure: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    keep: { type: 'string' },
    replay: { type: 'boolean', default: false },
    from: { type: 'string', default: FIXTURES },
    offline: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof RigError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

function run(): Promise<number> {
  if (values.help) return done(() => console.log(HELP));
  if (values.table) return done(() => console.log(formatResults(readResults(), values.brief)));
  if (values.measure) return done(measureAll);
  return values.replay ? replay() : main();
}

async function done(work: () => unknown): Promise<number> {
  await work();
  return 0;
}

/** Message of a child run to its parent. */
interface Told {
  readonly comparison: Comparison | null;
  readonly result: Result | null;
  readonly random: RandomRun | null;
  /** Rows of a version other than the pinned one. */
  readonly rows: readonly FiguresRow[];
}

/** Plays all cells. Returns the exit code: 0 if each one is perfect. */
async function main(): Promise<number> {
  const results: ScoredCase[] = [];
  let hasFailed = false;
  const jobs = Number(values.jobs);
  const cells = await chosenCells();
  await inJobs(cells, jobs, async (cell) => {
    const result = jobs > 1 ? await playApart(cell) : await play(cell);
    if (result) results.push({ name: nameOf(cell), score: result });
    hasFailed ||= result === null || !isPerfect(result);
  });
  if (!process.send && !values.keep && cells.some(({ version }) => version !== undefined)) await measureAll();
  if (cells.length !== 1 || !process.send) printTable(results); // a child run sends its result to its parent
  return hasFailed ? 1 : 0;
}

async function chosenCells(): Promise<Cell[]> {
  const agents = await chosenAgents();
  const cells = chooseCells({
    agents,
    cases: chosenCases(),
    variants: values.variant.split(','),
    widths: values.width.split(',').map(Number),
    rows: Number(values.height),
    isResized: values.resize,
  });
  const pinned = new Map(AGENTS.map((agent) => [agent.name, installedVersion(agent)]));
  const isAbsent = ({ agent, version }: Cell) => version === undefined && pinned.get(agent) === null;
  for (const name of new Set(cells.filter(isAbsent).map(({ agent }) => agent))) {
    console.log(`${name}: skipped, it is not installed (npm ci in test/agents)`);
  }
  const isWanted = values.missing ? (cell: Cell) => !isSettled(cell, pinned.get(cell.agent) ?? null) : () => true;
  return cells.filter((cell) => !isAbsent(cell) && isWanted(cell));
}

/** Parses the chosen agents and installs their versions. */
async function chosenAgents(): Promise<ChosenAgent[]> {
  const specs = (listOf(values.agent) ?? usualAgents()).map(parseAgent);
  const hasVersions = specs.some(({ wanted }) => wanted !== null);
  const forPinned = (['save', 'missing', 'record'] as const).find((flag) => values[flag]);
  if (hasVersions && forPinned)
    throw new RigError(`--${forPinned} is for the pinned versions: leave it out, or name no version`);
  const chosen: ChosenAgent[] = [];
  for (const spec of specs) chosen.push({ name: spec.agent.name, version: await installAgent(spec, console.log) });
  return chosen;
}

function usualAgents(): readonly string[] {
  const isRandom = values.random !== undefined || values.seed !== undefined;
  return isRandom ? RANDOM_AGENTS : AGENTS.map(({ name }) => name);
}

function chosenCases(): string[] | null {
  if (values.random === undefined && values.seed === undefined) return listOf(values.case);
  const [count, seed] = [values.random ?? '1', values.seed ?? `${randomInt(1_000_000)}`].map(Number);
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed) || (count ?? 0) < 1 || (seed ?? 0) < 0)
    throw new RigError('--random takes how many scripts, --seed a whole number: --random 5 --seed 42');
  return Array.from({ length: count ?? 0 }, (_, at) => randomName((seed ?? 0) + at));
}

/** Plays a cell in this process; resolves with null if the case did not finish. */
async function play(cell: Cell): Promise<Comparison | null> {
  const isVersion = cell.version !== undefined;
  const target = values.keep ?? (isVersion ? VERSIONS : values.record ? FIXTURES : null);
  const isCompressed = isVersion && !values.keep;
  const played = await playCell(cell, { target, isOffline: values.offline, isCompressed });
  const { version, problems, comparison, terminals } = played;
  const counts = terminals.map((one) => one.counts);
  const silent = counts.flatMap((one) => one.silent.map((name) => `without a mark: ${name}`));
  tell(nameOf(cell), [...problems, ...(comparison?.faults ?? []), ...silent]);
  const date = new Date().toISOString().slice(0, 10);
  const problem = problems[0]?.split('\n')[0] ?? '';
  const random = randomRunOf(cell, { version, problem, counts });
  if (random && !comparison) console.log(`  the rig broke off, once more: ${repeatCommand(cell)}`);
  const outcome = comparison ? { score: shortened(comparison) } : { problem };
  const told = {
    comparison,
    result: random ? null : { ...cell, version, date, ...outcome },
    random,
    rows: isCompressed ? rowsOf(cell.agent, played, problem.replace(/^.*Error: /, '')) : [],
  };
  if (process.send) process.send(told satisfies Told);
  else keep(told);
  return comparison;
}

function rowsOf(agent: string, { version, terminals }: Played, problem: string): FiguresRow[] {
  if (terminals.length === 0) return [{ agent, version, problem }];
  return terminals.flatMap(({ counts, folder }) =>
    folder === null ? [] : [{ agent, version, recording: folder, live: counts }],
  );
}

function keep({ result, random, rows }: Told): void {
  if (values.save && result) saveResult(result);
  if (values.save && random) saveRandomRun(random);
  for (const row of rows) saveRun(row);
}

/** Plays a cell in a child process, so that parallel runs do not share one process with the app's threads. */
async function playApart(cell: Cell): Promise<Comparison | null> {
  const flags = (['record', 'offline', 'quiet'] as const).filter((flag) => values[flag]);
  const args = [
    ...[
      '--agent',
      cell.version === undefined ? cell.agent : `${cell.agent}@${cell.version}`,
      '--case',
      cell.case,
      '--variant',
      cell.variant,
    ],
    ...['--width', `${cell.cols}`, '--height', `${cell.rows}`],
    ...(cell.isResized ? ['--resize'] : []),
    ...(values.keep ? ['--keep', values.keep] : []),
    ...flags.map((flag) => `--${flag}`),
  ];
  const { printed, message } = await runApart(SCRIPT, args);
  console.log(printed.trimEnd());
  const told = (message ?? { comparison: null, result: null, random: null, rows: [] }) as Told;
  keep(told); // written by the parent, so that parallel runs do not overwrite each other's results
  return told.comparison;
}

async function replay(): Promise<number> {
  const results: ScoredCase[] = [];
  const [agents, cases] = [listOf(values.agent), listOf(values.case)];
  for (const recording of findRecordings(values.from)) {
    const { name, expected } = recording;
    if (!(agents?.includes(expected.agent) ?? true) || !(cases?.includes(expected.case) ?? true)) continue;
    const score = compare(expected, await chatOfRecording(recording));
    tell(name, score.faults);
    results.push({ name, score });
  }
  printTable(results);
  return results.every(({ score }) => isPerfect(score)) ? 0 : 1;
}

function printTable(results: readonly ScoredCase[]): void {
  const all = results.reduce((sum, { score }) => addScores(sum, score), emptyScore());
  console.log(formatScores([...results, { name: 'all', score: all }]));
}

function tell(name: string, faults: readonly string[]): void {
  console.log(faults.length === 0 ? `${name}: as said` : `${name}: ${faults.length} faults`);
  if (!values.quiet) for (const fault of faults) console.log(`  ${fault}`);
}

function listOf(list: string | undefined): string[] | null {
  return list?.split(',') ?? null;
}
