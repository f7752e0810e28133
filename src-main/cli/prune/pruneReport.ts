import type { RestReport } from '../../store/archive/restTerminal.ts';
import type { Removal, RetentionLimits } from '../../store/record/retention.ts';
import { TRASH_DAYS } from '../../store/record/trash.ts';
import { askYes } from '../print/askYes.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count, formatBytes } from '../print/formatFigures.ts';
import { outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';

/** A terminal beyond the limits, with the fields for the report. */
export interface PrunedTerminal extends Removal {
  title: string;
  unusedDays: number;
}

/** The result of a run; `dryRun`: of one that moved nothing. */
export interface PruneOutcome {
  dryRun: boolean;
  removed: readonly PrunedTerminal[];
  failed: readonly { id: string; reason: string }[];
  /** Number of terminals beyond the limits that stay for a later run. */
  waiting: number;
  kept: { terminals: number; bytes: number };
  trash: { terminals: number; bytes: number };
  /** `started`: the running Hansard continues by itself. */
  compressed: RestReport | 'started' | null;
}

/** Shows what would move, and throws unless the person agrees. `yes`: the person has agreed already. */
export async function askFirst(removals: readonly PrunedTerminal[], { yes }: { yes?: boolean }): Promise<void> {
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

export function sizeOf(some: readonly { bytes: number }[]): number {
  return some.reduce((sum, { bytes }) => sum + bytes, 0);
}

export async function printOutcome(limits: RetentionLimits, outcome: PruneOutcome): Promise<void> {
  const told = { days: limits['retention.days'], bytes: limits['retention.bytes'] };
  await printJson({ version: 1, limits: told, ...outcome });
}

export async function report({
  dryRun,
  removed,
  failed,
  waiting,
  kept,
  trash,
  compressed,
}: PruneOutcome): Promise<void> {
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

const COLUMNS: readonly Column<PrunedTerminal>[] = [
  { title: 'TERMINAL', text: ({ id }) => id },
  { title: 'UNUSED', text: ({ unusedDays: days }) => count(days, 'day'), alignRight: true },
  { title: 'SIZE', text: ({ bytes }) => formatBytes(bytes), alignRight: true },
  { title: 'WHY', text: ({ why }) => WHY[why] },
  { title: 'TITLE', text: ({ title }) => title },
];
