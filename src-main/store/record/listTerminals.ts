import { lstatSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isId, type TerminalId } from '../../contract/ids.ts';
import { requireInPlace } from '../files/folderIdentity.ts';
import { usedMsNow } from '../files/readAsIs.ts';
import { readSmallNow } from '../files/readPiece.ts';
import { temporaryName } from '../files/sweepTemporaries.ts';
import { livingWriter, wasAbandoned } from '../instance/writerMark.ts';
import { namesIn } from './namesIn.ts';
import { SessionFolder, terminalsFolder } from './SessionFolder.ts';

/** Facts about a terminal that lists need before they open any of its files. */
export interface ListedTerminal {
  id: TerminalId;
  /** The value of `usedMs` (readAsIs). */
  usedMs: number;
  /** A process other than a core writes it now. */
  isRecording: boolean;
}

export interface TerminalList {
  /** In any order. */
  terminals: ListedTerminal[];
  /** Paths with a terminal's name that are not folders: files or links. */
  odd: string[];
}

/** A terminal, the time of its folder's last change in ms, and the time of its last use. */
type Entry = readonly [id: TerminalId, changedMs: number, usedMs: number];

/** Two changes within the clock's resolution look the same, so a folder that changed this recently is examined again. */
const SETTLED_MS = 2_000;
/** This many folders can be examined quickly without a catalogue. */
const WORTH_WRITING = 64;
const PRIVATE_FILE = 0o600;

export function catalogPath(dataFolder: string): string {
  return join(dataFolder, 'catalog.json');
}

/**
 * Lists every recorded terminal. `isOpen`: whether a core may be writing it, so that its files are examined in any case.
 *
 * catalog.json stores when closed terminals were last used, so that a list of thousands examines each folder once instead of four of its
 * files. An entry is valid only while its folder is unchanged: every writer adds or removes a file in the folder, or calls
 * `SessionFolder.touch`, before its first write and after its last one. So the list is correct even if another process writes or deletes
 * the catalogue meanwhile.
 */
export function listTerminals(
  dataFolder: string,
  isOpen: (id: TerminalId) => boolean,
  nowMs = Date.now(),
): TerminalList {
  const known = new KnownEntries(dataFolder);
  const entries: Entry[] = [];
  const list: TerminalList = { terminals: [], odd: [] };
  let made = 0;
  const all = terminalsFolder(dataFolder);
  for (const id of namesIn(all)) {
    const found = isId(id) ? lstatSync(`${all}/${id}`, { throwIfNoEntry: false }) : undefined;
    if (!found) continue;
    if (!found.isDirectory()) {
      list.odd.push(join(all, id));
      continue;
    }
    const own = isOpen(id) ? undefined : known.of(id, found);
    const looked = own ? { id, usedMs: own[2], isRecording: false } : lookAt(dataFolder, id);
    list.terminals.push(looked);
    if (own) entries.push(own);
    else if (!isOpen(id) && isSettled(new SessionFolder(dataFolder, id), looked, found, nowMs)) {
      entries.push([id, found.ctimeMs, looked.usedMs]);
      made += 1;
    }
  }
  if (made >= WORTH_WRITING) writeCatalog(dataFolder, entries);
  return list;
}

/** The catalogue on disk. Ignores invalid entries. */
class KnownEntries {
  readonly #entries: readonly Entry[];
  /** Folders are listed in the order of the entries, except for new ones. */
  #next = 0;
  #byId: ReadonlyMap<string, Entry> | null = null;

  constructor(dataFolder: string) {
    this.#entries = readCatalog(dataFolder).filter(isEntry);
  }

  /** Undefined if the folder is another one or has changed since. */
  of(id: TerminalId, { ctimeMs }: Stats): Entry | undefined {
    let entry = this.#entries[this.#next];
    if (entry?.[0] === id) this.#next += 1;
    else {
      this.#byId ??= new Map(this.#entries.map((one) => [one[0], one]));
      entry = this.#byId.get(id);
    }
    return entry?.[1] === ctimeMs ? entry : undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value) || value.length !== 3) return false;
  return typeof value[0] === 'string' && typeof value[1] === 'number' && typeof value[2] === 'number';
}

function lookAt(dataFolder: string, id: TerminalId): ListedTerminal {
  const folder = new SessionFolder(dataFolder, id);
  return { id, usedMs: usedMsNow(folder), isRecording: livingWriter(folder) !== null };
}

function isSettled(folder: SessionFolder, one: ListedTerminal, { ctimeMs }: Stats, nowMs: number): boolean {
  const isOld = nowMs - Math.max(ctimeMs, one.usedMs) > SETTLED_MS;
  return isOld && !one.isRecording && !wasAbandoned(folder);
}

function readCatalog(dataFolder: string): readonly unknown[] {
  try {
    const { version, terminals } = JSON.parse(readSmallNow(catalogPath(dataFolder)));
    return version === 1 && Array.isArray(terminals) ? terminals : [];
  } catch {
    return []; // missing or damaged: it will be rewritten
  }
}

function writeCatalog(dataFolder: string, terminals: readonly Entry[]): void {
  const path = catalogPath(dataFolder);
  const temporary = temporaryName(path);
  try {
    requireInPlace(path);
    writeFileSync(temporary, `${JSON.stringify({ version: 1, terminals })}\n`, { mode: PRIVATE_FILE, flag: 'wx' });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true }); // without a catalogue the next list is only as slow as this one
  }
}
