import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { IDisposable } from '../../util/Disposables.ts';
import { toDisposable } from '../../util/Disposables.ts';
import { isAlive, processStart } from '../files/processIdentity.ts';
import type { SessionFolder } from '../record/SessionFolder.ts';

const WriterMark = z.object({ version: z.literal(1), pid: z.int().check(z.positive()), start: z.string() });

const PRIVATE_FILE = 0o600;

/**
 * `writer.json` in a terminal's folder: another process than the core writes this record (`hansard record`). The core's lock
 * covers the terminals in its tabs; this mark covers one folder. While its process lives, nobody else writes, recovers,
 * compresses or removes anything there. It is the first file in the folder, and the last to go when all is written.
 */
export function markWriter(folder: SessionFolder): IDisposable {
  const path = markPath(folder);
  const mark = { version: 1, pid: process.pid, start: processStart(process.pid) ?? '' };
  writeFileSync(path, `${JSON.stringify(mark)}\n`, { mode: PRIVATE_FILE, flag: 'wx' });
  return toDisposable(() => rmSync(path, { force: true }));
}

/** The living process that writes this record; null when none does, also when the mark is of one that was killed. */
export function livingWriter(folder: SessionFolder): number | null {
  const mark = readMark(folder);
  return mark && isAlive(mark) ? mark.pid : null;
}

/** A process that is gone has left its mark: the record must be recovered before anything else is done with it. */
export function wasAbandoned(folder: SessionFolder): boolean {
  return existsSync(markPath(folder)) && livingWriter(folder) === null;
}

/** After the recovery of what a killed writer has left. */
export function removeMark(folder: SessionFolder): void {
  rmSync(markPath(folder), { force: true });
}

function markPath({ root }: SessionFolder): string {
  return join(root, 'writer.json');
}

function readMark(folder: SessionFolder): z.infer<typeof WriterMark> | null {
  try {
    return WriterMark.parse(JSON.parse(readFileSync(markPath(folder), 'utf8')));
  } catch {
    return null; // no mark, or one that its writer was killed over: nobody can be writing
  }
}
