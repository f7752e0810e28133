import { join } from 'node:path';
import type { Command } from 'commander';
import { Settings } from '../contract/settings.ts';
import type { RestReport } from '../store/atRest/restTerminal.ts';
import { readAsIs, readTabs } from '../store/readAsIs.ts';
import {
  planRetention,
  type Removal,
  type RetentionEntry,
  type RetentionLimits,
  retentionOf,
  surveyRecord,
  titleOf,
} from '../store/retention.ts';
import { SessionFolder } from '../store/SessionFolder.ts';
import { askYes } from './askYes.ts';
import { CliError, EXIT } from './exitCodes.ts';
import { count, formatBytes, formatTime } from './formatFigures.ts';
import { helpText } from './help.ts';
import { parseCount } from './options.ts';
import { outputColumns, printJson, printLines, remark } from './output.ts';
import { LiveCore } from './record/LiveCore.ts';
import { currentDataFolder } from './record/RecordReader.ts';
import { compressHere, pruneHere } from './record/tidyHere.ts';
import { type Column, formatTable } from './table.ts';

export function addPrune(program: Command): void {
  program
    .command('prune')
    .description('remove what is beyond the limits of the record, and compress what is at rest')
    .option('-n, --dry-run', 'only tell what would go, and why')
    .option('-y, --yes', 'without a question')
    .option('--days <n>', 'as if the limit were so many days', parseCount)
    .option('--bytes <n>', 'as if the limit were so many bytes', parseCount)
    .option('--compress', 'also compress the files of closed terminals now')
    .option('--json', 'one JSON document: {version, dryRun, limits, removed, failed, kept, compressed}')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'negative', 'usage', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(tidy);
}

const NOTES = [
  'Hansard does this by itself after its start and daily: terminals in no tab go when they were unused for longer than',
  '`retention.days` (30), then the longest unused until all fit into `retention.bytes` (10 GiB). Tabs stay, and terminals with',
  'a bookmarked or exported block. At a terminal a question comes first; anywhere else nothing is removed without --yes, and',
  'the exit code is 1. Where Hansard runs, it does the work itself. Compressed files (zstd) read as before.',
];
const EXAMPLES = [
  ['hansard prune --dry-run', 'what would go now'],
  ['hansard prune --days 7 --yes', 'remove what was not used for a week'],
  ['hansard prune --compress', 'also make room by compressing; `zstd -dc output.raw.zst` reads a file by hand'],
] as const;

interface TidyOptions {
  dryRun?: boolean;
  yes?: boolean;
  days?: number;
  bytes?: number;
  compress?: boolean;
  json?: boolean;
}

/** A terminal that is beyond the limits, as it is told. */
interface Told extends Removal {
  title: string;
  lastUsedMs: number;
}

/** What is there and what is to be done. `core` is the running Hansard, or null. */
interface Plan {
  dataFolder: string;
  core: LiveCore | null;
  limits: RetentionLimits;
  entries: readonly RetentionEntry[];
  removals: readonly Told[];
}

interface Outcome {
  dryRun: boolean;
  removed: readonly Told[];
  failed: readonly { id: string; reason: string }[];
  kept: { terminals: number; bytes: number };
  /** `started`: the running Hansard goes on with it by itself. */
  compressed: RestReport | 'started' | null;
}

async function tidy(options: TidyOptions): Promise<void> {
  const dataFolder = currentDataFolder();
  const found = await LiveCore.find(dataFolder);
  if (found.status === 'silent')
    throw new CliError(`Hansard runs (process ${found.pid}) but ${found.reason}.`, EXIT.unavailable);
  const core = found.status === 'ok' ? found.core : null;
  try {
    const plan = await makePlan(dataFolder, core, options);
    if (!options.dryRun) await requireYes(plan.removals, options);
    const outcome = options.dryRun ? outcomeOf(plan, plan.removals) : await carryOut(plan, options.compress ?? false);
    if (options.json) await printOutcome(plan, { ...outcome, dryRun: options.dryRun ?? false });
    else await report({ ...outcome, dryRun: options.dryRun ?? false });
    if (outcome.failed.length > 0) process.exitCode = EXIT.negative;
  } finally {
    core?.dispose();
  }
}

async function makePlan(dataFolder: string, core: LiveCore | null, options: TidyOptions): Promise<Plan> {
  const settings = (await readAsIs(join(dataFolder, 'settings.json'), Settings)) ?? Settings.parse({});
  const limits = {
    'retention.days': options.days ?? settings['retention.days'],
    'retention.bytes': options.bytes ?? settings['retention.bytes'],
  };
  const entries = await surveyRecord(dataFolder, new Set(await readTabs(dataFolder)));
  const removals: Told[] = [];
  for (const removal of planRetention(entries, retentionOf(limits), Date.now())) {
    const title = await titleOf(new SessionFolder(dataFolder, removal.id));
    removals.push({ ...removal, title, lastUsedMs: entries.find(({ id }) => id === removal.id)?.lastUsedMs ?? 0 });
  }
  return { dataFolder, core, limits, entries, removals };
}

/** Throws unless the person wants it. */
async function requireYes(removals: readonly Told[], { yes }: TidyOptions): Promise<void> {
  if (yes || removals.length === 0) return;
  const what = `${count(removals.length, 'terminal')} (${formatBytes(sizeOf(removals))})`;
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CliError(
      `${what} would go: \`hansard prune --dry-run\` lists them. Nothing was removed; --yes removes them.`,
      EXIT.negative,
    );
  await printLines(formatTable(COLUMNS, removals, outputColumns()));
  if (!(await askYes(`Remove ${what} for good? [y/N] `))) throw new CliError('nothing was removed.', EXIT.negative);
}

async function carryOut(plan: Plan, wantsCompression: boolean): Promise<Omit<Outcome, 'dryRun'>> {
  const { dataFolder, core, limits, removals } = plan;
  const { removed, failed } = await (core ? core.tidy(limits) : pruneHere(dataFolder, removals));
  const gone = removals.filter(({ id }) => removed.some((removal) => removal.id === id));
  const outcome = { ...outcomeOf(plan, gone), failed };
  return wantsCompression ? { ...outcome, compressed: await compress(plan, gone) } : outcome;
}

function outcomeOf({ entries }: Plan, removed: readonly Told[]): Omit<Outcome, 'dryRun'> {
  const kept = without(entries, removed);
  return { removed, failed: [], kept: { terminals: kept.length, bytes: sizeOf(kept) }, compressed: null };
}

async function compress({ dataFolder, core, entries }: Plan, gone: readonly Told[]): Promise<RestReport | 'started'> {
  if (!core) return compressHere(dataFolder, without(entries, gone));
  await core.compress();
  return 'started';
}

function without(entries: readonly RetentionEntry[], gone: readonly Told[]): RetentionEntry[] {
  return entries.filter((entry) => !gone.some(({ id }) => id === entry.id));
}

function sizeOf(some: readonly { bytes: number }[]): number {
  return some.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function printOutcome({ limits }: Plan, { dryRun, removed, failed, kept, compressed }: Outcome): Promise<void> {
  const told = { days: limits['retention.days'], bytes: limits['retention.bytes'] };
  await printJson({ version: 1, dryRun, limits: told, removed, failed, kept, compressed });
}

async function report({ dryRun, removed, failed, kept, compressed }: Outcome): Promise<void> {
  if (removed.length > 0) await printLines(formatTable(COLUMNS, removed, outputColumns()));
  const what = `${count(removed.length, 'terminal')} (${formatBytes(sizeOf(removed))})`;
  const rest = `${count(kept.terminals, 'terminal')} (${formatBytes(kept.bytes)}) ${kept.terminals === 1 ? 'stays' : 'stay'}`;
  if (removed.length === 0) remark(`nothing is beyond the limits: ${rest}.`);
  else remark(dryRun ? `${what} would go, ${rest}. Nothing was removed.` : `${what} removed, ${rest}.`);
  for (const { id, reason } of failed) remark(`${id} could not be removed: ${reason}`);
  if (compressed === 'started') remark('the running Hansard compresses in the background.');
  else if (compressed)
    remark(
      `${count(compressed.files, 'file')} compressed: ${formatBytes(compressed.bytesBefore)} are ${formatBytes(compressed.bytesAfter)} now.`,
    );
  if (compressed && compressed !== 'started')
    for (const { path, text } of compressed.failed) remark(`${path} stays as it is: ${text}`);
}

const WHY = { age: 'unused for too long', size: 'too much in all' } as const;

const COLUMNS: readonly Column<Told>[] = [
  { title: 'TERMINAL', text: ({ id }) => id },
  { title: 'USED', text: ({ lastUsedMs }) => formatTime(lastUsedMs) },
  { title: 'SIZE', text: ({ bytes }) => formatBytes(bytes), alignRight: true },
  { title: 'WHY', text: ({ why }) => WHY[why] },
  { title: 'TITLE', text: ({ title }) => title },
];
