import { join } from 'node:path';
import { weigh } from '../../store/files/weigh.ts';
import { readLedger } from '../../store/record/dayLedger.ts';
import { titleOf } from '../../store/record/retention.ts';
import { TRASH_DAYS, type TrashItem, trashItems } from '../../store/record/trash.ts';
import type { TidyOptions } from '../commands/maintain/prune.ts';
import { askYes } from '../print/askYes.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count, formatBytes } from '../print/formatFigures.ts';
import { outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';
import type { LiveCore } from '../record/LiveCore.ts';
import { pruneHere } from '../record/tidyHere.ts';

interface Place {
  dataFolder: string;
  /** The running Hansard, or null. */
  core: LiveCore | null;
}

interface Shown extends TrashItem {
  bytes: number;
  title: string;
  daysLeft: number;
}

/** `--list-trash`, `--restore` and `--empty-trash`. */
export async function onTrash(place: Place, options: TidyOptions): Promise<void> {
  if (options.restore) await restore(place, options.restore === true ? null : options.restore, options);
  else if (options.emptyTrash) await empty(place, options);
  else await list(place, options);
}

export async function weighTrash(dataFolder: string): Promise<(TrashItem & { bytes: number })[]> {
  return Promise.all(
    trashItems(dataFolder).map(async (item) => {
      const { bytes } = await weigh(item.path).catch(() => ({ bytes: 0 })); // emptied since, or not readable
      return { ...item, bytes };
    }),
  );
}

async function list({ dataFolder }: Place, { json }: TidyOptions): Promise<void> {
  const { day: today } = await readLedger(dataFolder);
  const items: Shown[] = await Promise.all(
    (await weighTrash(dataFolder)).map(async (item) => ({
      ...item,
      title: await titleOf({ id: item.id, meta: join(item.path, 'meta.json') }),
      daysLeft: Math.max(0, item.day + TRASH_DAYS - today),
    })),
  );
  if (json) {
    const trash = items.map(({ id, title, bytes, daysLeft, path }) => ({ id, title, bytes, daysLeft, path }));
    await printJson({ version: 1, trash });
  } else if (items.length === 0) remark('the trash is empty.');
  else await printLines(formatTable(COLUMNS, items, outputColumns()));
}

async function restore({ dataFolder, core }: Place, id: string | null, { json }: TidyOptions): Promise<void> {
  const items = trashItems(dataFolder).filter((item) => id === null || item.id === id);
  if (id !== null && items.length === 0)
    throw new CliError(
      `no terminal "${id}" is in the trash. Run \`hansard prune --list-trash\` to list it.`,
      EXIT.noInput,
    );
  const none = { restored: [], failed: [] };
  const report =
    items.length === 0
      ? none
      : await (core ? core.restore(id) : pruneHere(dataFolder, (pruning) => pruning.restore(id)));
  if (json) await printJson({ version: 1, ...report });
  else if (items.length === 0) remark('the trash is empty.');
  else {
    await printLines(report.restored);
    remark(`${count(report.restored.length, 'terminal')} restored.`);
  }
  tellFailed(report.failed, 'restored');
}

async function empty({ dataFolder, core }: Place, { yes, json }: TidyOptions): Promise<void> {
  const items = await weighTrash(dataFolder);
  const what = `${count(items.length, 'terminal')} (${formatBytes(items.reduce((sum, { bytes }) => sum + bytes, 0))})`;
  if (items.length > 0 && !yes) await requireYes(what);
  const none = { emptied: [], failed: [] };
  const report =
    items.length === 0
      ? none
      : await (core ? core.emptyTrash() : pruneHere(dataFolder, (pruning) => pruning.empty(() => true)));
  if (json) await printJson({ version: 1, ...report });
  else remark(items.length === 0 ? 'the trash is empty.' : `${what} deleted.`);
  tellFailed(report.failed, 'deleted');
}

async function requireYes(what: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CliError(`${what} would be deleted for good. Nothing was deleted; --yes deletes them.`, EXIT.negative);
  if (!(await askYes(`Delete ${what} for good? [y/N] `))) throw new CliError('nothing was deleted.', EXIT.negative);
}

function tellFailed(failed: readonly { id: string; reason: string }[], what: string): void {
  for (const { id, reason } of failed) remark(`${id} could not be ${what}: ${reason}`);
  if (failed.length > 0) process.exitCode = EXIT.negative;
}

const COLUMNS: readonly Column<Shown>[] = [
  { title: 'TERMINAL', text: ({ id }) => id },
  { title: 'DAYS OF USE LEFT', text: ({ daysLeft }) => String(daysLeft), alignRight: true },
  { title: 'SIZE', text: ({ bytes }) => formatBytes(bytes), alignRight: true },
  { title: 'TITLE', text: ({ title }) => title },
];
