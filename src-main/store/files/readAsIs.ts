import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { TerminalMeta } from '../../contract/terminal.ts';
import type { SessionFolder } from '../record/SessionFolder.ts';
import { restedPath } from './openRecordFile.ts';

/** A parser made of generated code pays from some hundred values on. */
const ONCE = { jitless: true };

/** What is only looked at is left as it is: damage is put right at the next start, by the process that holds the lock. */
export async function readAsIs<T>(path: string, schema: z.core.$ZodType<T>): Promise<T | null> {
  try {
    return z.parse(schema, JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, '')), ONCE);
  } catch {
    return null; // missing or damaged: `doctor` tells which
  }
}

export function readMetaAsIs(folder: SessionFolder): Promise<TerminalMeta | null> {
  return readAsIs(folder.meta, TerminalMeta);
}

/** The same without waiting. */
export function readMetaNow(folder: SessionFolder): TerminalMeta | null {
  try {
    return TerminalMeta.parse(JSON.parse(readFileSync(folder.meta, 'utf8')), ONCE);
  } catch {
    return null; // missing or damaged, as above
  }
}

/** The ids in tabs, in their order. */
export async function readTabs(dataFolder: string): Promise<string[]> {
  const workspace = await readAsIs(join(dataFolder, 'workspace.json'), z.object({ order: z.array(z.string()) }));
  return workspace?.order ?? [];
}

/** When the terminal last recorded something; of an empty folder, when it was made. */
export async function usedMs(folder: SessionFolder): Promise<number> {
  const times = await Promise.all(usedFiles(folder).map(modifiedMs));
  return Math.max(...times) || modifiedMs(folder.root);
}

/** The same without waiting: a fifth of the CPU. */
export function usedMsNow(folder: SessionFolder): number {
  return Math.max(...usedFiles(folder).map(modifiedNow)) || modifiedNow(folder.root);
}

function modifiedNow(path: string): number {
  try {
    return Math.round(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  } catch {
    return 0; // it cannot be looked at, as above
  }
}

function usedFiles(folder: SessionFolder): string[] {
  return [folder.raw, restedPath(folder.raw), folder.blocksJsonl, folder.meta];
}

/** 0 for a file that is not there. */
async function modifiedMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => null); // not there: it has no time
  return found ? Math.round(found.mtimeMs) : 0;
}
