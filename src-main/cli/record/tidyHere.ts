import { Settings } from '../../contract/settings.ts';
import { Pruning } from '../../core/Pruning.ts';
import { Notices } from '../../notices/Notices.ts';
import { type RestReport, restTerminal } from '../../store/archive/restTerminal.ts';
import { readTabs } from '../../store/files/readAsIs.ts';
import { hasZstd } from '../../store/files/zstd.ts';
import { removeDeletedTerminals } from '../../store/index/removeDeletedTerminals.ts';
import { acquireLock } from '../../store/instance/lockFile.ts';
import { livingWriter, wasAbandoned } from '../../store/instance/writerMark.ts';
import type { RetentionEntry } from '../../store/record/retention.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import { systemClock } from '../../util/Clock.ts';
import { silentLog } from '../../util/Log.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';

/** Without a running core: moves terminals beyond the limits to the trash, restores or deletes them, and updates the index. */
export function pruneHere<T>(dataFolder: string, work: (pruning: Pruning) => Promise<T>): Promise<T> {
  return withLock(dataFolder, async () => {
    const tabs = await readTabs(dataFolder);
    return work(
      new Pruning({
        dataFolder,
        clock: systemClock,
        log: silentLog,
        notices: new Notices(),
        limits: () => Settings.parse({}),
        openIds: () => new Set(tabs),
        onRemoved: () => removeDeletedTerminals(dataFolder),
      }),
    );
  });
}

/** Without a running core: compresses the terminals that have no tab and no writer, at full speed. */
export async function compressHere(dataFolder: string, entries: readonly RetentionEntry[]): Promise<RestReport> {
  if (!hasZstd)
    throw new CliError(`Node ${process.version} has no zstd: compressing needs Node 22.15 or later.`, EXIT.unavailable);
  const total: RestReport = { files: 0, bytesBefore: 0, bytesAfter: 0, failed: [] };
  if (entries.length === 0) return total;
  return withLock(dataFolder, async () => {
    for (const { id, isOpen } of entries) {
      const folder = new SessionFolder(dataFolder, id);
      if (isOpen || livingWriter(folder) !== null || wasAbandoned(folder)) continue;
      const report = await restTerminal(folder, {});
      total.files += report.files;
      total.bytesBefore += report.bytesBefore;
      total.bytesAfter += report.bytesAfter;
      total.failed.push(...report.failed);
    }
    return total;
  });
}

/** Runs `work` as the only process that may write the data folder. A Hansard started meanwhile reports that it is in use. */
async function withLock<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  const lock = acquireLock(dataFolder);
  if (!lock.ok)
    throw new CliError(`process ${lock.pid} has just begun to use ${dataFolder}: try again.`, EXIT.unavailable);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
