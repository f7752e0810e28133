import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { programKey } from '../../projects/programKey.ts';
import { isOwn, readText } from './foreignFiles.ts';

/** The hook that runs when `git status` rewrites the index. */
const STATUS_HOOK = join('hooks', 'post-index-change');

/**
 * Why git may run a program by itself in that folder, or null: another user owns the repository, its config names a program, or the config
 * cannot be read. A folder outside a repository is harmless.
 */
export function gitHazard(cwd: string | null): string | null {
  if (cwd === null) return 'it is not known in which folder git would run';
  try {
    const folder = findGitDir(cwd);
    return folder === null ? null : hazardOf(folder);
  } catch (error) {
    return `this repository could not be looked at: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function hazardOf(gitDir: string): string | null {
  const common = readText(join(gitDir, 'commondir'))?.trim();
  const folders = common === undefined ? [gitDir] : [gitDir, resolve(gitDir, common)];
  for (const folder of folders) {
    if (!isOwn(folder) || !isOwn(join(folder, 'config'))) return "this repository is another user's";
    const key = programKey(readText(join(folder, 'config')) ?? '');
    if (key !== undefined) return `the config of this repository sets ${key}, which may run a program`;
    const hook = statSync(join(folder, STATUS_HOOK), { throwIfNoEntry: false });
    if (hook && (hook.mode & 0o111) !== 0) return 'this repository has a hook that git runs on its own';
  }
  return null;
}

/** Searches as git does: `.git` here or above, as a folder or as a file that names one, or a bare repository. */
function findGitDir(cwd: string): string | null {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    const entry = join(at, '.git');
    const found = statSync(entry, { throwIfNoEntry: false });
    if (found?.isDirectory()) return entry;
    if (found) return resolve(at, /^gitdir: (.*)$/m.exec(readText(entry) ?? '')?.[1] ?? '.git');
    const isBare = ['HEAD', 'objects', 'refs'].every((name) => statSync(join(at, name), { throwIfNoEntry: false }));
    if (isBare) return at;
    if (dirname(at) === at) return null;
  }
}
