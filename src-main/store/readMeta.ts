import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { TerminalMeta } from '../contract/terminal.ts';
import { readJsonFile, replaceFile } from './replaceFile.ts';
import type { SessionFolder } from './SessionFolder.ts';

type Json = Record<string, unknown>;

/**
 * From the version in the key to the next one; each takes the object as the older program wrote it and gives a new one.
 * The newest is the version that `TerminalMeta` asks for. Empty as long as there has been one version only.
 */
export type Migrations = Readonly<Record<number, (older: Json) => Json>>;
export const META_MIGRATIONS: Migrations = {};

const AnyMeta = z.looseObject({ version: z.number().int() });

export interface MetaRead {
  meta: TerminalMeta;
  /** What was put right, for people; empty when all was well. */
  notes: string[];
}

/**
 * meta.json, migrated where an older program wrote it (write-then-rename; unknown keys stay) and rebuilt where it is
 * missing or unreadable (the unreadable one is kept beside it). `guess` gives what the other files tell.
 */
export async function readMeta(
  folder: SessionFolder,
  guess: { cwd: string | null },
  migrations = META_MIGRATIONS,
): Promise<MetaRead> {
  const read = await readJsonFile(
    folder.meta,
    AnyMeta.transform((json) => migrate(json, migrations)).pipe(TerminalMeta.loose()),
  );
  if (read.status === 'ok' && read.value.id === folder.id) {
    const { wasMigratedFrom, ...meta } = read.value;
    if (wasMigratedFrom === undefined) return { meta: meta as TerminalMeta, notes: [] };
    await replaceFile(folder.meta, `${JSON.stringify(meta)}\n`, { fsync: true });
    return { meta: meta as TerminalMeta, notes: [`meta.json was migrated from version ${String(wasMigratedFrom)}`] };
  }
  const meta = await rebuildMeta(folder, guess.cwd);
  await replaceFile(folder.meta, `${JSON.stringify(meta)}\n`, { fsync: true });
  const why =
    read.status === 'bad'
      ? `could not be used (${read.reason}; kept as ${read.keptAs})`
      : read.status === 'missing'
        ? 'was missing'
        : 'named another terminal';
  return { meta, notes: [`meta.json ${why} and was rebuilt`] };
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
