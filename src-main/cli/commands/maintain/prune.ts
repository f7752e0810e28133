import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { Settings, withoutFormerDays } from '../../../contract/settings.ts';
import { readAsIs, readTabs } from '../../../store/files/readAsIs.ts';
import type { ReadFault } from '../../../store/files/readFault.ts';
import { noteUse, readLedger, unusedDays } from '../../../store/record/dayLedger.ts';
import {
  type PruneReport,
  planRetention,
  type RetentionEntry,
  type RetentionLimits,
  retentionOf,
  surveyRecord,
  titleOf,
} from '../../../store/record/retention.ts';
import { SessionFolder } from '../../../store/record/SessionFolder.ts';
import { CliError, EXIT } from '../../print/exitCodes.ts';
import { helpText } from '../../print/help.ts';
import { parseCount } from '../../print/options.ts';
import { remark } from '../../print/output.ts';
import { onTrash, weighTrash } from '../../prune/onTrash.ts';
import {
  askFirst,
  type PrunedTerminal,
  type PruneOutcome,
  printOutcome,
  report,
  sizeOf,
} from '../../prune/pruneReport.ts';
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

/** The current state and what to do. `core`: the running Hansard, or null. */
interface Plan {
  dataFolder: string;
  core: LiveCore | null;
  limits: RetentionLimits;
  entries: readonly RetentionEntry[];
  removals: readonly PrunedTerminal[];
  waiting: number;
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
  if (!dryRun) await askFirst(plan.removals, options);
  const outcome = dryRun ? await outcomeOf(plan, plan.removals) : await carryOut(plan, options);
  if (options.json) await printOutcome(plan.limits, { ...outcome, dryRun });
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
  const removals: PrunedTerminal[] = [];
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

async function carryOut(plan: Plan, options: TidyOptions): Promise<Omit<PruneOutcome, 'dryRun'>> {
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

async function outcomeOf(plan: Plan, removed: readonly PrunedTerminal[]): Promise<Omit<PruneOutcome, 'dryRun'>> {
  const kept = without(plan.entries, removed);
  const trash = await weighTrash(plan.dataFolder);
  return {
    ...{ removed, failed: [], waiting: plan.waiting, compressed: null },
    kept: { terminals: kept.length, bytes: sizeOf(kept) },
    trash: { terminals: trash.length, bytes: sizeOf(trash) },
  };
}

async function compress(
  { dataFolder, core, entries }: Plan,
  gone: readonly PrunedTerminal[],
): Promise<NonNullable<PruneOutcome['compressed']>> {
  if (!core) return compressHere(dataFolder, without(entries, gone));
  await core.compress();
  return 'started';
}

function without(entries: readonly RetentionEntry[], gone: readonly PrunedTerminal[]): RetentionEntry[] {
  return entries.filter((entry) => !gone.some(({ id }) => id === entry.id));
}
