import { constants } from 'node:fs';
import { access, chmod, copyFile, lstat, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../../store/files/replaceFile.ts';
import { HOOK_SOURCES } from '../extraction/extractors/agents/hooks.ts';
import { addHooks, type HookCommand, installedEvents, removeHooks } from './hookSettings.ts';

/** A suffix that only we use, so that another program's backup is not taken for ours. */
const BACKUP = '.hansard.bak';

/** Where agents keep their settings. */
export interface HookPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface HookReport {
  readonly agent: string;
  readonly file: string;
  /** Events that have our entry. */
  readonly events: readonly string[];
  /** Number of events that an install without stream events has. */
  readonly wanted: number;
}

export type HookChange =
  | {
      ok: true;
      isChanged: boolean;
      file: string;
      backup: string | null;
      events: readonly string[];
      remark: string | null;
    }
  | { ok: false; file: string; reason: string };

/** The agents whose hooks can be set. */
export const HOOKED_AGENTS: readonly string[] = HOOK_SOURCES.map(({ agent }) => agent);

export async function hookReports(place: HookPlace): Promise<HookReport[]> {
  return Promise.all(
    HOOK_SOURCES.map(async (source) => {
      const file = source.settingsFile(place.home, place.env);
      const events = installedEvents(await readText(file));
      return { agent: source.agent, file, events, wanted: source.events.filter(({ isStream }) => !isStream).length };
    }),
  );
}

/**
 * Installs the hooks of `agent`, or removes them if `command` is null. The file from before the first change is kept beside it as
 * `.hansard.bak`; removal restores it byte for byte if nothing else has changed since. Throws for an unknown agent.
 */
export async function changeHooks(
  agent: string,
  place: HookPlace,
  { command, isDryRun }: { command: HookCommand | null; isDryRun: boolean },
): Promise<HookChange> {
  const source = HOOK_SOURCES.find((one) => one.agent === agent);
  if (!source) throw new Error(`No hooks are known of an agent "${agent}"`);
  const file = await targetOf(source.settingsFile(place.home, place.env));
  const before = await readText(file);
  const edit = command ? addHooks(before, source, command) : removeHooks(before);
  if (!edit.ok) return { ok: false, file, reason: edit.reason };
  const isChanged = edit.text !== before;
  const remark = command ? source.remark : null;
  const done = { ok: true as const, isChanged, file, events: edit.events, remark };
  if (!isChanged || isDryRun) return { ...done, backup: null };
  return { ...done, backup: await (command ? write(file, edit.text) : takeAway(file, edit.text)) };
}

/** A settings file may be a link into the person's dotfiles; the link stays. */
function targetOf(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}

/** '' if there is no file. Rejects if it cannot be read, because it must not be overwritten. */
function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
}

async function write(file: string, text: string): Promise<string | null> {
  const backup = `${file}${BACKUP}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const known = await lstat(file).catch(() => null);
  // an existing backup already has the file from before our changes
  if (known) await copyFile(file, backup, constants.COPYFILE_EXCL).catch(() => undefined);
  await replaceFile(file, text);
  if (known) await chmod(file, known.mode & 0o777);
  return known ? backup : null;
}

async function takeAway(file: string, text: string): Promise<string | null> {
  const backup = `${file}${BACKUP}`;
  const old = await readText(backup);
  if (old !== '' && isSameJson(old, text)) {
    await rename(backup, file);
    return null;
  }
  if (isSameJson('{}', text) && !(await exists(backup))) await rm(file);
  else {
    const { mode } = await stat(file);
    await replaceFile(file, text);
    await chmod(file, mode & 0o777);
  }
  return (await exists(backup)) ? backup : null;
}

function isSameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return false; // invalid JSON: our file was not made from it
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
