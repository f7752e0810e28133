import { chmod, copyFile, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../../store/files/replaceFile.ts';
import { type EntryPlace, readJsonEntry, readJsonTable, removeJsonEntry, setJsonEntry } from './editJson.ts';
import { readTomlEntry, removeTomlEntry, setTomlEntry } from './editToml.ts';
import { lineDiff } from './lineDiff.ts';
import type { ServerCommand, SetupClient, SetupPlace } from './SetupClient.ts';
import { ConfigError } from './TextScanner.ts';

/** A suffix of our own, so that no other program's backup is mistaken for ours. */
const BACKUP = '.hansard-mcp.bak';
const NAME = 'hansard';

/** `backup`: path of the copy of the original file; null without one. `diff`: lines for people to read. */
export type SetupChange =
  | { ok: true; isChanged: boolean; file: string; backup: string | null; diff: string[] }
  | { ok: false; file: string; reason: string };

/** Reads the client's entry for this Hansard; undefined without one. Throws a ConfigError or an errno error. */
export async function readSetup(client: SetupClient, place: SetupPlace): Promise<{ file: string; entry: unknown }> {
  const file = client.configFile(place);
  return { file, entry: formatOf(client).read((await readText(file)) ?? '') };
}

/**
 * Writes our entry into the configuration of `client`, or removes it if `command` is null. Changes only the entry; refuses an invalid file and leaves
 * it untouched. Removing restores the original file byte for byte if nothing else has changed it since; else it removes only the entry. Keeps links
 * and the file mode. Rejects if the disk refuses.
 */
export async function changeSetup(
  client: SetupClient,
  place: SetupPlace,
  { command, isDryRun }: { command: ServerCommand | null; isDryRun: boolean },
): Promise<SetupChange> {
  const named = client.configFile(place);
  const file = await realpath(named).catch(() => named);
  const before = await readText(file);
  try {
    const plan = command
      ? planAdd(client, before ?? '', client.entry(command))
      : planRemove(client, before ?? '', await readText(`${file}${BACKUP}`));
    const isChanged = plan.text !== before && !(plan.text === '' && before === null);
    const done = { ok: true as const, isChanged, file, diff: lineDiff(before ?? '', plan.text) };
    if (!isChanged || isDryRun) return { ...done, backup: null };
    return { ...done, backup: await (command ? add(file, plan) : remove(file, plan)) };
  } catch (thrown) {
    if (thrown instanceof ConfigError) return { ok: false, file, reason: thrown.message };
    throw thrown;
  }
}

interface Plan {
  readonly text: string;
  /**
   * When adding: the file has no entry of ours yet, so its current content is the original. When removing: the file returns to the original byte for
   * byte.
   */
  readonly isOriginal: boolean;
}

function planAdd(client: SetupClient, before: string, entry: Entry): Plan {
  const { read, set } = formatOf(client);
  return { text: set(before, entry), isOriginal: read(before) === undefined };
}

function planRemove(client: SetupClient, before: string, backup: string | null): Plan {
  const { read, set, remove, hasTable } = formatOf(client);
  const entry = read(before);
  if (entry === undefined) return { text: before, isOriginal: false };
  const original = backup ?? '';
  if (isEntry(entry) && wouldMake(() => set(original, entry), before)) return { text: original, isOriginal: true };
  return { text: remove(before, backup === null || !hasTable(backup)), isOriginal: false };
}

/** A backup that cannot be parsed is not the original of the file. */
function wouldMake(make: () => string, text: string): boolean {
  try {
    return make() === text;
  } catch (thrown) {
    if (thrown instanceof ConfigError) return false;
    throw thrown;
  }
}

async function add(file: string, { text, isOriginal }: Plan): Promise<string | null> {
  const backup = `${file}${BACKUP}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const exists = await has(file);
  if (isOriginal) await (exists ? copyFile(file, backup) : rm(backup, { force: true }));
  await write(file, text);
  return (await has(backup)) ? backup : null;
}

async function remove(file: string, { text, isOriginal }: Plan): Promise<string | null> {
  const backup = `${file}${BACKUP}`;
  const kept = await has(backup);
  if (isOriginal && !kept) await rm(file);
  else if (isOriginal) await rename(backup, file);
  else await write(file, text);
  return kept && !isOriginal ? backup : null;
}

async function write(file: string, text: string): Promise<void> {
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => null, // a new file is readable by its owner only
  );
  await replaceFile(file, text);
  if (mode !== null) await chmod(file, mode);
}

function has(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Null if the file does not exist. Rejects if it cannot be read, so that it is not overwritten. */
function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
}

type Entry = Readonly<Record<string, unknown>>;

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Format {
  read(text: string): unknown;
  set(text: string, entry: Entry): string;
  remove(text: string, alsoTable: boolean): string;
  /** Whether the text has a table of servers, even an empty one. */
  hasTable(text: string): boolean;
}

function formatOf({ format, servers }: SetupClient): Format {
  const place: EntryPlace = { servers, name: NAME };
  if (format === 'toml') {
    return {
      read: (text) => readTomlEntry(text, place),
      set: (text, entry) => setTomlEntry(text, place, entry),
      remove: (text) => removeTomlEntry(text, place),
      hasTable: () => true, // tables of TOML need no parent
    };
  }
  return {
    read: (text) => readJsonEntry(text, place),
    set: (text, entry) => setJsonEntry(text, place, entry),
    remove: (text, alsoTable) => removeJsonEntry(text, place, alsoTable),
    hasTable: (text) => wouldMake(() => String(readJsonTable(text, servers) !== undefined), 'true'),
  };
}
