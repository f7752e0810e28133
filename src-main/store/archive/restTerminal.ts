import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asDiskError } from '../files/Disk.ts';
import { sweepTemporaries } from '../files/sweepTemporaries.ts';
import type { SessionFolder } from '../record/SessionFolder.ts';
import { compressFile, decompressFile, type RestOptions } from './compressFile.ts';
import type { RestDisk } from './RestDisk.ts';

export interface RestReport {
  /** Number of files that this call compressed. */
  files: number;
  bytesBefore: number;
  bytesAfter: number;
  /** Files that could not be compressed; they are unchanged. */
  failed: { path: string; text: string }[];
}

/** Compresses the large files of a terminal without a writer. Skips files that are already compressed. */
export async function restTerminal(folder: SessionFolder, options: RestOptions): Promise<RestReport> {
  const report: RestReport = { files: 0, bytesBefore: 0, bytesAfter: 0, failed: [] };
  sweepTemporaries(folder.root);
  sweepTemporaries(folder.blocksDir);
  const texts = await textFiles(folder).catch((thrown: unknown) => {
    report.failed.push({ path: folder.blocksDir, text: asDiskError(thrown).reason });
    return [];
  });
  for (const path of [...writtenFiles(folder), ...texts]) {
    const verdict = await compressFile(path, options);
    if (verdict.ok) {
      report.files += 1;
      report.bytesBefore += verdict.bytesBefore;
      report.bytesAfter += verdict.bytesAfter;
    } else if (verdict.reason === 'failed') report.failed.push({ path, text: verdict.text });
  }
  return report;
}

/**
 * Decompresses the files of a terminal that will be written again; must run before the terminal gets a writer. The texts of ended
 * blocks stay compressed. Rejects with errors of the disk: the terminal must not be written then.
 */
export async function wakeTerminal(folder: SessionFolder, { disk }: { disk?: RestDisk } = {}): Promise<void> {
  for (const path of writtenFiles(folder)) await decompressFile(path, { ...(disk && { disk }) });
}

/** Files that a reopened terminal appends to. */
function writtenFiles({ raw, times, screenJsonl }: SessionFolder): string[] {
  return [raw, times, screenJsonl];
}

async function textFiles({ blocksDir }: SessionFolder): Promise<string[]> {
  try {
    const names = await readdir(blocksDir);
    return names.filter((name) => /\.(?:out|ren)$/.test(name)).map((name) => join(blocksDir, name));
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return [];
    throw thrown;
  }
}
