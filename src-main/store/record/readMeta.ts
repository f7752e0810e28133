import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { TerminalMeta } from '../../contract/terminal.ts';
import { readJsonFile, replaceFile } from '../files/replaceFile.ts';
import type { SessionFolder } from './SessionFolder.ts';

type Json = Record<string, unknown>;

/**
 * Each migrates an object from the version in its key to the next one and returns a new object. The newest version is
 * the one that `TerminalMeta` requires. Empty while there is only one version.
 */
export type Migrations = Readonly<Record<number, (older: Json) => Json>>;
export const META_MIGRATIONS: Migrations = {};

const AnyMeta = z.looseObject({ version: z.number().int() });

export interface MetaRead {
  meta: TerminalMeta;
  /** Repairs, as text for people; empty if there were none. */
  notes: string[];
}

/**
 * Reads meta.json. Migrates a file of an older version (temporary file and rename; unknown keys stay), and rebuilds a
 * missing or unreadable one, keeping the unreadable file beside it. `guess` has values from the other files.
 */
export async function readMeta(
  folder: SessionFolder,
  guess: { cwd: string | null },
  migrations = META_MIGRATIONS,
): Promise<MetaRead> {
  const schema = AnyMeta.transform((json) => migrate(json, migrations)).pipe(z.looseObject(TerminalMeta.shape));
  const read = await readJsonFile(folder.meta, schema);
  if (read.status === 'ok') {
    const { wasMigratedFrom, ...meta } = read.value;
    const notes: string[] = [];
    if (wasMigratedFrom !== undefined) notes.push(`meta.json was migrated from version ${String(wasMigratedFrom)}`);
    if (meta.id !== folder.id) notes.push(`meta.json named the terminal ${meta.id}; its folder is ${folder.id}`);
    return putRight(folder, { ...meta, id: folder.id }, notes);
  }
  const why = read.status === 'bad' ? `could not be used (${read.reason}; kept as ${read.keptAs})` : 'was missing';
  return putRight(folder, await rebuildMeta(folder, guess.cwd), [`meta.json ${why} and was rebuilt`]);
}

/** Writes the repaired file. If the disk refuses, the caller can still use the result. */
async function putRight(folder: SessionFolder, meta: TerminalMeta, notes: string[]): Promise<MetaRead> {
  if (notes.length === 0) return { meta, notes };
  try {
    await replaceFile(folder.meta, `${JSON.stringify(meta)}\n`);
  } catch (thrown) {
    notes.push(thrown instanceof Error ? thrown.message : String(thrown));
  }
  return { meta, notes };
}

function migrate(json: Json & { version: number }, migrations: Migrations): Json {
  let now: Json = json;
  let version = json.version;
  for (let step = migrations[version]; step; step = migrations[version]) {
    now = step(now);
    version += 1;
    now = { ...now, version, wasMigratedFrom: json.version };
  }
  return now;
}

async function rebuildMeta(folder: SessionFolder, cwd: string | null): Promise<TerminalMeta> {
  const { birthtimeMs, mtimeMs } = await stat(folder.root);
  return TerminalMeta.parse({
    version: 1,
    id: folder.id,
    shell: '',
    argv: [],
    cwd: cwd ?? '/',
    cols: 80,
    rows: 24,
    createdMs: Math.round(birthtimeMs || mtimeMs),
    title: '',
  });
}
