import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TerminalId } from '../../contract/ids.ts';
import { asDiskError } from '../files/Disk.ts';
import { ensurePrivateFolder } from '../instance/dataFolder.ts';
import { namesIn } from './namesIn.ts';
import { SessionFolder, terminalsFolder } from './SessionFolder.ts';

/** Counted days that a removed terminal stays in the trash. */
export const TRASH_DAYS = 7;

/** Prefix of a folder that is being deleted; no id can begin with it. */
const DELETING = '.removing-';

/** A terminal in the trash. Its folder is named `<id>@<day>`. */
export interface TrashItem {
  id: TerminalId;
  /** The counted day on which it was removed. */
  day: number;
  path: string;
}

export interface MoveFailure {
  id: TerminalId;
  reason: string;
}

export function trashFolder(dataFolder: string): string {
  return join(dataFolder, 'trash');
}

/** Returns the terminals in the trash, newest first; empty if there is no trash yet. Skips foreign names. */
export function trashItems(dataFolder: string): TrashItem[] {
  const items: TrashItem[] = [];
  for (const name of namesIn(trashFolder(dataFolder))) {
    const [, id = '', day] = /^([^@]+)@(\d{1,9})$/.exec(name) ?? [];
    if (TerminalId.safeParse(id).success)
      items.push({ id, day: Number(day), path: join(trashFolder(dataFolder), name) });
  }
  return items.sort((a, b) => b.day - a.day);
}

/** Moves a terminal with one rename, so that it is completely in the record or in the trash. Rejects with errors of the disk. */
export async function moveToTrash(dataFolder: string, id: TerminalId, day: number): Promise<void> {
  ensurePrivateFolder(trashFolder(dataFolder));
  await rename(new SessionFolder(dataFolder, id).root, join(trashFolder(dataFolder), `${id}@${day}`));
}

/** Moves folders that an older version did not finish deleting to the trash: they may still be complete. */
export async function adoptRemoving(dataFolder: string, day: number): Promise<MoveFailure[]> {
  const failed: MoveFailure[] = [];
  for (const name of namesIn(terminalsFolder(dataFolder))) {
    const id = name.slice(DELETING.length);
    if (!name.startsWith(DELETING) || !TerminalId.safeParse(id).success) continue;
    ensurePrivateFolder(trashFolder(dataFolder));
    const moved = rename(join(terminalsFolder(dataFolder), name), join(trashFolder(dataFolder), `${id}@${day}`));
    await moved.catch((thrown: unknown) => failed.push({ id, reason: asDiskError(thrown).reason }));
  }
  return failed;
}

export interface RestoreReport {
  restored: TerminalId[];
  failed: MoveFailure[];
}

/** Restores terminals, each with one rename. A terminal that already exists in the record stays in the trash. */
export async function restoreFromTrash(
  dataFolder: string,
  wanted: (item: TrashItem) => boolean,
): Promise<RestoreReport> {
  const report: RestoreReport = { restored: [], failed: [] };
  for (const { id, path } of trashItems(dataFolder).filter(wanted)) {
    const { root } = new SessionFolder(dataFolder, id);
    try {
      ensurePrivateFolder(terminalsFolder(dataFolder));
      if (await exists(root)) throw new Error(`${root} is in the record already`);
      await rename(path, root);
      report.restored.push(id);
    } catch (thrown) {
      report.failed.push({ id, reason: asDiskError(thrown).reason });
    }
  }
  return report;
}

export interface EmptyReport {
  emptied: TerminalId[];
  failed: MoveFailure[];
}

/**
 * Deletes terminals for good. `before` removes a terminal's data outside its folder, and must not reject. Renames a folder first, so
 * that every restorable terminal is complete; finishes interrupted deletions.
 */
export async function emptyTrash(
  dataFolder: string,
  wanted: (item: TrashItem) => boolean,
  before: (item: TrashItem) => Promise<void> = () => Promise.resolve(),
): Promise<EmptyReport> {
  const folder = trashFolder(dataFolder);
  const report: EmptyReport = { emptied: [], failed: [] };
  for (const item of trashItems(dataFolder).filter(wanted)) {
    const { id, day, path } = item;
    try {
      await before(item);
      await rename(path, join(folder, `${DELETING}${id}@${day}`));
      report.emptied.push(id);
    } catch (thrown) {
      report.failed.push({ id, reason: asDiskError(thrown).reason });
    }
  }
  for (const name of namesIn(folder)) {
    if (!name.startsWith(DELETING)) continue;
    const deleted = rm(join(folder, name), { recursive: true, force: true });
    await deleted.catch((thrown: unknown) =>
      report.failed.push({ id: name.slice(DELETING.length), reason: asDiskError(thrown).reason }),
    );
  }
  return report;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (thrown: unknown) => {
      if (asDiskError(thrown).code === 'ENOENT') return false;
      throw thrown;
    },
  );
}
