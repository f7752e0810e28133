import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Candidate } from '../Candidate.ts';
import type { Entry, FolderLists } from './FolderLists.ts';

/** Maximum number of links that are resolved, because each needs a call to the disk. */
const MAX_LINKS = 200;

export interface PathWish {
  /** The typed path, which may start with `~` for home. */
  typed: string;
  folder: string;
  home: string;
  only: 'files' | 'folders';
}

/** Returns the last part of a typed path, with which names are compared. */
export function pathStart(typed: string): string {
  return typed.endsWith('/') ? '' : basename(typed);
}

/** Lists the folder of the typed path. Hidden entries are included only if the name starts with a dot. */
export async function readPaths({ typed, folder, home, only }: PathWish, lists: FolderLists): Promise<Candidate[]> {
  const shown = typed.includes('/') ? typed.slice(0, typed.lastIndexOf('/') + 1) : '';
  const start = pathStart(typed);
  const at = shown.startsWith('~/') ? join(home, shown.slice(2)) : resolve(folder, shown === '' ? '.' : shown);
  const entries = await lists.list(at);
  const wanted = start.toLowerCase();
  const fits = entries.filter(
    ({ name }) => name.startsWith('.') === start.startsWith('.') && name.toLowerCase().includes(wanted),
  );
  const found = await Promise.all(
    fits.slice(0, 1000).map(async (entry, index) => {
      const isFolder =
        entry.kind === 'folder' || (entry.kind === 'link' && index < MAX_LINKS && (await isLinkToFolder(at, entry)));
      return isFolder ? folderCandidate(shown, entry.name) : fileCandidate(shown, entry.name);
    }),
  );
  const ordered = found.sort((a, b) => (a.label < b.label ? -1 : 1));
  return only === 'folders' ? ordered.filter(({ kind }) => kind === 'folder') : ordered;
}

/** Adds `./` because a command would read a name that begins with a dash as an option, and the shell would expand a `~`. */
function pathValue(shown: string, name: string): string {
  return shown === '' && /^[-~]/.test(name) ? `./${name}` : `${shown}${name}`;
}

function folderCandidate(shown: string, name: string): Candidate {
  return { value: `${pathValue(shown, name)}/`, label: `${name}/`, kind: 'folder', isOpen: true };
}

function fileCandidate(shown: string, name: string): Candidate {
  return { value: pathValue(shown, name), label: name, kind: 'file' };
}

async function isLinkToFolder(folder: string, { name }: Entry): Promise<boolean> {
  const target = await stat(join(folder, name)).catch(() => null); // a dangling link is no folder
  return target?.isDirectory() ?? false;
}
