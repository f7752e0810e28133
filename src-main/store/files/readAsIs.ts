import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { TerminalMeta } from '../../contract/terminal.ts';
import type { SessionFolder } from '../record/SessionFolder.ts';
import { restedPath } from './openRecordFile.ts';
import { readSmall, readSmallNow } from './readPiece.ts';

/** A generated parser pays off only from some hundred values on. */
const ONCE = { jitless: true };

/** Reads without repairing: the process that holds the lock repairs damage at its next start. */
export async function readAsIs<T>(path: string, schema: z.core.$ZodType<T>): Promise<T | null> {
  try {
    return z.parse(schema, JSON.parse((await readSmall(path)).replace(/^\uFEFF/, '')), ONCE);
  } catch {
    return null; // missing or damaged; `doctor` reports which
  }
}

export function readMetaAsIs(folder: SessionFolder): Promise<TerminalMeta | null> {
  return readAsIs(folder.meta, TerminalMeta);
}

/** Synchronous `readMetaAsIs`. */
export function readMetaNow(folder: SessionFolder): TerminalMeta | null {
  try {
    return TerminalMeta.parse(JSON.parse(readSmallNow(folder.meta)), ONCE);
  } catch {
    return null; // missing or damaged, as above
  }
}

/** Ids of the terminals in tabs, in tab order. */
export async function readTabs(dataFolder: string): Promise<string[]> {
  const workspace = await readAsIs(join(dataFolder, 'workspace.json'), z.object({ order: z.array(z.string()) }));
  return workspace?.order ?? [];
}

/** Time of the terminal's last change in its record; for an empty folder, the time of its creation. */
export async function usedMs(folder: SessionFolder): Promise<number> {
  const times = await Promise.all(usedFiles(folder).map(modifiedMs));
  return Math.max(...times) || modifiedMs(folder.root);
}

/** Synchronous `usedMs`, which takes a fifth of the CPU time. */
export function usedMsNow(folder: SessionFolder): number {
  return Math.max(...usedFiles(folder).map(modifiedNow)) || modifiedNow(folder.root);
}

function modifiedNow(path: string): number {
  try {
    return Math.round(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  } catch {
    return 0; // it cannot be examined; 0 as in `modifiedMs`
  }
}

function usedFiles(folder: SessionFolder): string[] {
  return [folder.raw, restedPath(folder.raw), folder.blocksJsonl, folder.meta];
}

/** Returns 0 if the file does not exist. */
async function modifiedMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => null); // a missing file has no time
  return found ? Math.round(found.mtimeMs) : 0;
}
