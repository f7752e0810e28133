import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { Settings, withoutFormerDays } from '../../../contract/settings.ts';
import type { RestReport } from '../../../store/archive/restTerminal.ts';
import { readAsIs, readTabs } from '../../../store/files/readAsIs.ts';
import type { ReadFault } from '../../../store/files/readFault.ts';
import { noteUse, readLedger, unusedDays } from '../../../store/record/dayLedger.ts';
import {
  type PruneReport,
  planRetention,
  type Removal,
  type RetentionEntry,
  type RetentionLimits,
  retentionOf,
  surveyRecord,
  titleOf,
} from '../../../store/record/retention.ts';
import { SessionFolder } from '../../../store/record/SessionFolder.ts';
import { TRASH_DAYS } from '../../../store/record/trash.ts';
import { askYes } from '../../print/askYes.ts';
import { CliError, EXIT } from '../../print/exitCodes.ts';
import { count, formatBytes } from '../../print/formatFigures.ts';
import { helpText } from '../../print/help.ts';
import { parseCount } from '../../print/options.ts';
import { outputColumns, printJson, printLines, remark } from '../../print/output.ts';
import { type Column, formatTable } from '../../print/table.ts';
import { onTrash, weighTrash } from '../../prune/onTrash.ts';
import { LiveCore } from '../../record/LiveCore.ts';
import { currentDataFolder } from '../../record/RecordReader.ts';
import { compressHere, pruneHere } from '../../record/tidyHere.ts';

export function addPrune(program: Command): void {
  program
    .command('prune')
    .description('Move terminals to the trash, or restore them')
    .option('-n, --dry-run', 'list what would move, and why')
    .option('-y, --yes', 'do not ask; move at most 5 % of the closed terminals')
    .option('--all', 'with --yes: move all terminals beyond the limits')
    .option('--days <n>', 'override the limit of unused days', parseCount)
    .option('--bytes <n>', 'override the limit of bytes', parseCount)
    .option('--compress', 'also compress the files of closed terminals now')
    .option('--list-trash', 'list what is in the trash')
    .option('--restore [id]', 'bring a terminal back from the trash, or all of them')
    .option('--empty-trash', 'delete the trash for good')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'negative', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(tidy);
}

const NOTES = [
  'Hansard prunes once per day of use. Closed terminals move to the trash when they were unused for more days of use than',
  '`retention.days` (0: never), and the longest unused ones when all take more than `retention.bytes` (10 GiB). A notice warns three',
  'days of use earlier. A day of use is a date on which Hansard ran for an hour, so a wrong clock removes nothing. Tabs stay, and so do',
  'terminals with a bookmarked or exported block. The trash keeps a terminal for seven days of use and takes its space until then.',
  'This command asks first; without a terminal to ask on, nothing moves without --yes (exit code 1).',
];
const EXAMPLES = [
  ['hansard prune --dry-run', 'list what would move now'],
  ['hansard prune --days 7', 'move terminals unused for more than 7 days of use, after asking'],
  ['hansard prune --restore', 'bring back everything in the trash'],
  ['hansard prune --compress', 'also compress closed terminals; `zstd -dc output.raw.zst` reads a file'],
] as const;

export interface TidyOptions {
  dryRun?: boolean;
  yes?: boolean;
  all?: boolean;
  days?: number;
  bytes?: number;
  compress?: boolean;
  listTrash?: boolean;
  restore?: string | true;
  emptyTrash?: boolean;
  json?: boolean;
}

/** A terminal beyond the limits, with the fields for the report. */
interface Told extends Removal {
  title: string;
  unusedDays: number;
}

/** The current state and what to do. `core`: the running Hansard, or null. */
interface Plan {
  dataFolder: string;
  core: LiveCore | null;
  limits: RetentionLimits;
  entries: readonly RetentionEntry[];
  removals: readonly Told[];
  waiting: number;
}

interface Outcome {
  dryRun: boolean;
  removed: readonly Told[];
  failed: readonly { id: string; reason: string }[];
  /** Number of terminals beyond the limits that stay for a later run. */
  waiting: number;
  kept: { terminals: number; bytes: number };
  trash: { terminals: number; bytes: number };
  /** `started`: the running Hansard continues by itself. */
  compressed: RestReport | 'started' | null;
}

async function tidy(options: TidyOptions): Promise<void> {
  const dataFolder = currentDataFolder();
  const found = await LiveCore.find(dataFolder);
  if (found.status === 'silent')
    throw new CliError(`Hansard runs (process ${found.pid}) but ${found.reason}.`, EXIT.unavailable);
  const core = found.status === 'ok' ? found.core : null;
  try {
    if (options.listTrash || options.restore || options.emptyTrash) await onTrash({ dataFolder, core }, options);
    else await onRecord({ dataFolder, core }, options);
  } finally {
    core?.dispose();
  }
}

async function onRecord({ dataFolder, core }: Pick<Plan, 'dataFolder' | 'core'>, options: TidyOptions): Promise<void> {
  const plan = await makePlan(dataFolder, core, options);
  const dryRun = options.dryRun ?? false;
  if (!dryRun) await requireYes(plan.removals, options);
  const outcome = dryRun ? await outcomeOf(plan, plan.removals) : await carryOut(plan, options);
  if (options.json) await printOutcome(plan, { ...outcome, dryRun });
  else await report({ ...outcome, dryRun });
  if (outcome.failed.length > 0) process.exitCode = EXIT.negative;
  for (const { fault } of plan.entries) if (fault) tellFault(fault);
}

function tellFault({ path, reason }: ReadFault): void {
  remark(`${path} ${reason}: its terminal stays. \`hansard doctor\` suggests a fix.`);
  process.exitCode = EXIT.dataErr;
}

/** Without a person who sees the list, a run moves only a few terminals. */
function isAsked({ yes, all }: TidyOptions): boolean {
  return yes ? (all ?? false) : true;
}

async function makePlan(dataFolder: string, core: LiveCore | null, options: TidyOptions): Promise<Plan> {
  const settings = withoutFormerDays(
    (await readAsIs(join(dataFolder, 'settings.json'), Settings)) ?? Settings.parse({}),
  );
  const limits = {
    'retention.days': options.days ?? settings['retention.days'],
    'retention.bytes': options.bytes ?? settings['retention.bytes'],
  };
  const tabs = await readTabs(dataFolder);
  if (tabs.length === 0 && (await isBadWorkspace(dataFolder)))
    throw new CliError(
      `${join(dataFolder, 'workspace.json')} cannot be read, so it is not known which terminals are in tabs. Nothing was moved. Start Hansard once, or restore the file.`,
      EXIT.dataErr,
    );
  const entries = await surveyRecord(dataFolder, new Set(tabs));
  const ledger = noteUse(await readLedger(dataFolder), entries);
  const plan = planRetention(entries, retentionOf(limits), {
    unusedDays: (entry) => unusedDays(ledger, entry),
    isAsked: isAsked(options),
  });
  const removals: Told[] = [];
  for (const removal of plan.removals) {
    const title = await titleOf(new SessionFolder(dataFolder, removal.id));
    const entry = entries.find(({ id }) => id === removal.id);
    removals.push({ ...removal, title, unusedDays: entry ? unusedDays(ledger, entry) : 0 });
  }
  return { dataFolder, core, limits, entries, removals, waiting: plan.waiting };
}

async function isBadWorkspace(dataFolder: string): Promise<boolean> {
  const path = join(dataFolder, 'workspace.json');
  return existsSync(path) && (await readAsIs(path, z.object({ order: z.array(z.string()) }))) === null;
}

/** Throws unless the person agrees. */
async function requireYes(removals: readonly Told[], { yes }: TidyOptions): Promise<void> {
  if (yes || removals.length === 0) return;
  const what = `${count(removals.length, 'terminal')} (${formatBytes(sizeOf(removals))})`;
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CliError(
      `${what} would move to the trash: \`hansard prune --dry-run\` lists them. Nothing was moved; --yes moves them.`,
      EXIT.negative,
    );
  await printLines(formatTable(COLUMNS, removals, outputColumns()));
  if (!(await askYes(`Move ${what} to the trash? [y/N] `))) throw new CliError('nothing was moved.', EXIT.negative);
}

async function carryOut(plan: Plan, options: TidyOptions): Promise<Omit<Outcome, 'dryRun'>> {
  const { removed, failed } = await moved(plan, options);
  const gone = plan.removals.filter(({ id }) => removed.some((removal) => removal.id === id));
  const outcome = { ...(await outcomeOf(plan, gone)), failed };
  return options.compress ? { ...outcome, compressed: await compress(plan, gone) } : outcome;
}

async function moved({ dataFolder, core, limits, removals }: Plan, options: TidyOptions): Promise<PruneReport> {
  if (removals.length === 0) return { removed: [], failed: [] }; // a lock would create the folder
  if (core) return core.tidy(limits, isAsked(options));
  return pruneHere(dataFolder, (pruning) => pruning.tidy(limits, isAsked(options)));
}

async function outcomeOf(plan: Plan, removed: readonly Told[]): Promise<Omit<Outcome, 'dryRun'>> {
  const kept = without(plan.entries, removed);
  const trash = await weighTrash(plan.dataFolder);
  return {
    ...{ removed, failed: [], waiting: plan.waiting, compressed: null },
    kept: { terminals: kept.length, bytes: sizeOf(kept) },
    trash: { terminals: trash.length, bytes: sizeOf(trash) },
  };
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

async function printOutcome({ limits }: Plan, outcome: Outcome): Promise<void> {
  const told = { days: limits['retention.days'], bytes: limits['retention.bytes'] };
  await printJson({ version: 1, limits: told, ...outcome });
}

async function report({ dryRun, removed, failed, waiting, kept, trash, compressed }: Outcome): Promise<void> {
  if (removed.length > 0) await printLines(formatTable(COLUMNS, removed, outputColumns()));
  const what = `${count(removed.length, 'terminal')} (${formatBytes(sizeOf(removed))})`;
  const rest = `${count(kept.terminals, 'terminal')} (${formatBytes(kept.bytes)}) ${kept.terminals === 1 ? 'stays' : 'stay'}`;
  if (removed.length === 0) remark(`nothing is beyond the limits: ${rest}.`);
  else
    remark(
      dryRun
        ? `${what} would move to the trash, ${rest}. Nothing was moved.`
        : `${what} moved to the trash, ${rest}. \`hansard prune --restore\` brings them back for ${TRASH_DAYS} days of use.`,
    );
  if (waiting > 0)
    remark(`${waiting} more beyond the limits: a run moves at most 5 % of the closed terminals, unless with --all.`);
  if (trash.terminals > 0)
    remark(`the trash takes ${formatBytes(trash.bytes)} beside that; \`hansard prune --empty-trash\` frees it now.`);
  for (const { id, reason } of failed) remark(`${id} could not be moved to the trash: ${reason}`);
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
  { title: 'UNUSED', text: ({ unusedDays: days }) => count(days, 'day'), alignRight: true },
  { title: 'SIZE', text: ({ bytes }) => formatBytes(bytes), alignRight: true },
  { title: 'WHY', text: ({ why }) => WHY[why] },
  { title: 'TITLE', text: ({ title }) => title },
];
