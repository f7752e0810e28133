import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { count } from '../print/formatFigures.ts';
import { type Check, checksOf, quotePath } from './Check.ts';

const check = checksOf('permissions');
/** How many paths a sentence names. */
const NAMED = 3;

interface Findings {
  total: number;
  open: string[];
  foreign: string[];
  links: string[];
}

/** Whether the data folder and its content belong to us, are closed to others (0700 and 0600), and have no links. */
export function checkPermissions(dataFolder: string): Check[] {
  if (process.platform === 'win32')
    return [check.note('mode', 'this platform has no file modes: the folder is protected as your profile is')];
  const found: Findings = { total: 0, open: [], foreign: [], links: [] };
  look(dataFolder, lstatSync(dataFolder), found);
  const folder = quotePath(dataFolder);
  const problems = [
    problem('mode', found.open, 'can be read by others', `chmod -R go= ${folder}`),
    problem('owner', found.foreign, 'of another user', `sudo chown -R ${process.geteuid?.() ?? ''} ${folder}`),
    problem(
      'links',
      found.links,
      'that are symbolic links',
      `find ${folder} -type l    # and replace them by what they point to`,
    ),
  ].filter((one) => one !== null);
  return problems.length > 0 ? problems : [check.ok('mode', `all ${found.total} files and folders are for you alone`)];
}

function problem(id: string, paths: readonly string[], what: string, fix: string): Check | null {
  if (paths.length === 0) return null;
  const more = paths.length > NAMED ? ', …' : '';
  return check.bad(
    id,
    `${count(paths.length, 'file or folder').replace('folders', 'folder')} ${what}: ${paths.slice(0, NAMED).join(', ')}${more}`,
    fix,
  );
}

function look(path: string, stat: Stats, found: Findings): void {
  found.total += 1;
  if (stat.isSymbolicLink()) {
    found.links.push(path);
    return;
  }
  if ((stat.mode & 0o077) !== 0) found.open.push(path);
  if (stat.uid !== process.geteuid?.()) found.foreign.push(path);
  if (!stat.isDirectory()) return;
  for (const name of readdirSync(path)) {
    const inner = lstatSync(join(path, name), { throwIfNoEntry: false });
    if (inner) look(join(path, name), inner, found); // a running core adds and removes files meanwhile
  }
}
