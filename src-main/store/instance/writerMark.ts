import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { IDisposable } from '../../util/Disposables.ts';
import { toDisposable } from '../../util/Disposables.ts';
import { isAlive, processStart } from '../files/processIdentity.ts';
import { readSmallNow } from '../files/readPiece.ts';
import type { SessionFolder } from '../record/SessionFolder.ts';

const WriterMark = z.object({ version: z.literal(1), pid: z.int().check(z.positive()), start: z.string() });

const PRIVATE_FILE = 0o600;

/**
 * `writer.json` in a terminal's folder: a process other than the core writes this record (`hansard record`). The core's lock
 * covers the terminals in its tabs; this mark covers one folder. While its process lives, no other process writes, recovers,
 * compresses or removes anything there. It is the first file in the folder, and is removed after everything is written.
 */
export function markWriter(folder: SessionFolder): IDisposable {
  const path = markPath(folder);
  const mark = { version: 1, pid: process.pid, start: processStart(process.pid) ?? '' };
  writeFileSync(path, `${JSON.stringify(mark)}\n`, { mode: PRIVATE_FILE, flag: 'wx' });
  return toDisposable(() => rmSync(path, { force: true }));
}

/** Pid of the living process that writes this record; null if there is none or the marked process was killed. */
export function livingWriter(folder: SessionFolder): number | null {
  const mark = readMark(folder);
  return mark && isAlive(mark) ? mark.pid : null;
}

/** True if the writer is gone and left its mark: the record must be recovered before any other use. */
export function wasAbandoned(folder: SessionFolder): boolean {
  return existsSync(markPath(folder)) && livingWriter(folder) === null;
}

/** Call this after recovering the record of a killed writer. */
export function removeMark(folder: SessionFolder): void {
  rmSync(markPath(folder), { force: true });
}

function markPath({ root }: SessionFolder): string {
  return join(root, 'writer.json');
}

function readMark(folder: SessionFolder): z.infer<typeof WriterMark> | null {
  try {
    return WriterMark.parse(JSON.parse(readSmallNow(markPath(folder))));
  } catch {
    return null; // no mark, or a partial one of a writer that was killed: there is no writer
  }
}
