import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TerminalId } from '../../contract/ids.ts';
import { asDiskError } from '../files/Disk.ts';
import { ensurePrivateFolder } from '../instance/dataFolder.ts';
import { namesIn } from './namesIn.ts';
import { SessionFolder, terminalsFolder } from './SessionFolder.ts';

/** Counted days that a removed terminal stays in the trash. */
export const TRASH_DAYS = 7;

/** Prefix of a folder that is being deleted; no id can look like it. */
const DELETING = '.removing-';

/** A terminal in the trash. Its folder is called `<id>@<day>`. */
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

/** Newest first; empty when there is no trash yet. Foreign names are left out. */
export function trashItems(dataFolder: string): TrashItem[] {
  const items: TrashItem[] = [];
  for (const name of namesIn(trashFolder(dataFolder))) {
    const [, id = '', day] = /^([^@]+)@(\d{1,9})$/.exec(name) ?? [];
    if (TerminalId.safeParse(id).success)
      items.push({ id, day: Number(day), path: join(trashFolder(dataFolder), name) });
  }
  return items.sort((a, b) => b.day - a.day);
}

/** One rename within the file system: the terminal is in the record or in the trash, whole. Rejects when the disk refuses. */
export async function moveToTrash(dataFolder: string, id: TerminalId, day: number): Promise<void> {
  ensurePrivateFolder(trashFolder(dataFolder));
  await rename(new SessionFolder(dataFolder, id).root, join(trashFolder(dataFolder), `${id}@${day}`));
}

/** What an older version was deleting when it was cut short is moved to the trash instead: it may still be whole. */
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

/** Brings terminals back into the record, each in one rename. One that is in the record again by another way stays in the trash. */
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

/** Deletes for good. `before` removes data of a terminal outside its folder, and must not reject. A folder is renamed first, so that every terminal that can be restored is complete; a deletion that was interrupted is finished. */
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
