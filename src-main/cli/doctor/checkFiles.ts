import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readFaultOf } from '../../store/files/readFault.ts';
import { SessionFolder, terminalsFolder } from '../../store/record/SessionFolder.ts';
import { trashFolder, trashItems } from '../../store/record/trash.ts';
import { count } from '../print/formatFigures.ts';
import { type Check, checksOf } from './Check.ts';
import { type FileKind, kindOf, type Place } from './fileKinds.ts';

const check = checksOf('record');
const NAMED = 3;
/** Permissions that the owner needs: read and write a file, and also enter a folder. */
const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;

interface Damage {
  path: string;
  why: string;
  remedy: string;
}

interface Found {
  read: number;
  damages: Damage[];
  strangers: string[];
}

/** Reads every file of the record by the rules of its kind and names the damaged ones. Changes nothing. */
export async function checkFiles(dataFolder: string): Promise<Check[]> {
  const found: Found = { read: 0, damages: [], strangers: [] };
  const folders: [Place, string][] = [['data', dataFolder]];
  for (const folder of [terminalsFolder(dataFolder), trashFolder(dataFolder)]) judgeMode(folder, OWN_FOLDER, found);
  for (const root of terminalRoots(dataFolder, found))
    folders.push(['terminal', root], ['blocks', join(root, 'blocks')]);
  for (const [place, folder] of folders) await readFolder(place, folder, found);
  return judge(found);
}

/** The folders of all terminals, including the trash. Empty if a file is in the place of those folders, which `found` then names. */
function terminalRoots(dataFolder: string, found: Found): string[] {
  try {
    for (const path of SessionFolder.listOdd(dataFolder))
      note(found, path, 'is not a folder, but has the place of a terminal');
    const roots = SessionFolder.list(dataFolder).map((id) => new SessionFolder(dataFolder, id).root);
    return [...roots, ...trashItems(dataFolder).map(({ path }) => path)];
  } catch (error) {
    if (!readFaultOf(error, terminalsFolder(dataFolder))) throw error;
    return [];
  }
}

async function readFolder(place: Place, folder: string, found: Found): Promise<void> {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return; // a terminal without blocks has no such folder; `readFolder` of its parent names anything else in its place
  judgeMode(folder, OWN_FOLDER, found);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const fault = readFaultOf(error, folder);
    if (!fault) throw error;
    return note(found, fault.path, fault.reason);
  }
  for (const name of names) {
    const kind = kindOf(place, name);
    if (kind) await readOne(join(folder, name), kind, found);
    else found.strangers.push(join(folder, name));
  }
}

async function readOne(path: string, kind: FileKind, found: Found): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return; // a running core adds and removes files meanwhile
  found.read += 1;
  const isRight = kind.isFolder ? stat.isDirectory() : stat.isFile();
  if (!isRight) return note(found, path, `is not a regular ${kind.isFolder ? 'folder' : 'file'}`, kind.remedy);
  if (!kind.isFolder) judgeMode(path, OWN_FILE, found);
  if (!kind.examine) return;
  try {
    const why = await kind.examine(path.replace(/\.zst$/, ''));
    if (why !== null) note(found, path, why, kind.remedy);
  } catch (error) {
    const fault = readFaultOf(error, path);
    if (!fault) throw error;
    note(found, fault.path, fault.reason, kind.remedy);
  }
}

/** Root can read and write every file; the owner of the record cannot. */
function judgeMode(path: string, needed: number, found: Found): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const isIt = needed === OWN_FOLDER ? stat?.isDirectory() : stat?.isFile();
  if (!stat || !isIt || process.platform === 'win32' || (stat.mode & needed) === needed) return;
  const letters = needed === OWN_FOLDER ? 'rwx' : 'rw';
  note(found, path, 'may not be read and written by its owner', `chmod u+${letters} '${path}'`);
}

const FROM_BACKUP = 'restore it from a backup, or move it out of the data folder: the others are used without it';

function note(found: Found, path: string, why: string, remedy = FROM_BACKUP): void {
  if (!found.damages.some((known) => known.path === path)) found.damages.push({ path, why, remedy });
}

function judge({ read, damages, strangers }: Found): Check[] {
  const checks = damages.map(({ path, why, remedy }) => check.bad('file', `${path} ${why}`, remedy));
  if (checks.length === 0) checks.push(check.ok('file', `all ${count(read, 'file')} of the record can be read`));
  if (strangers.length > 0) {
    const more = strangers.length > NAMED ? ` and ${strangers.length - NAMED} more` : '';
    checks.push(check.note('strange', `no files of Hansard: ${strangers.slice(0, NAMED).join(', ')}${more}`));
  }
  return checks;
}
