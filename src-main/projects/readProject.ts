import { execFile } from 'node:child_process';
import { lstat, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Project } from '../contract/project.ts';
import { headOf, type WorkTree } from '../store/record/gitBranch.ts';
import { parseStatus } from './parseStatus.ts';
import { programKey } from './programKey.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** 200,000 files on a cold disk take longer; their count is not worth more of the machine. */
export const STATUS_LIMIT_MS = 3_000;
/** Some ten thousand changed files. */
const MAX_STATUS_BYTES = 1024 * 1024;
const MAX_CONFIG_BYTES = 256 * 1024;

/** Settings of the person that run programs are off; those of the repository keep git from being started at all. */
export const SAFE_ARGS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
const STATUS_ARGS = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--untracked-files=normal',
  '--ignore-submodules=dirty',
];

/** Reads what is known of a work tree: its files, and `git status` where that runs no other program. Never rejects. */
export async function readProject(tree: WorkTree, env: Env): Promise<Project> {
  const known: Project = { ...plainFolder(tree.root), isRepository: true, branch: await headOf(tree) };
  if (!(await isSafe(tree.gitFolder, await refsFolder(tree)))) return { ...known, unknown: 'unsafe' };
  const status = await runStatus(tree, env);
  if ('unknown' in status) return { ...known, unknown: status.unknown };
  const counts = parseStatus(status.text);
  return { ...known, ...counts, branch: counts.branch ?? known.branch };
}

export function plainFolder(root: string): Project {
  return { root, isRepository: false, branch: null, ahead: null, behind: null, dirty: null, unknown: null };
}

/** Where branches are: of a linked work tree in the repository that it belongs to. */
export async function refsFolder({ gitFolder }: WorkTree): Promise<string> {
  const common = await readConfig(join(gitFolder, 'commondir'));
  return common ? resolve(gitFolder, common.trim()) : gitFolder;
}

/** Whether git can be run here: the repository is the person's own, and neither its config nor a hook of it starts programs. */
export async function isSafe(gitFolder: string, common: string): Promise<boolean> {
  const own = process.getuid?.();
  for (const folder of new Set([gitFolder, common])) {
    const at = await stat(folder).catch(() => null);
    if (!at || (own !== undefined && at.uid !== own)) return false;
    const config = await readConfig(join(folder, 'config'));
    if (config === undefined || (config !== null && programKey(config) !== undefined)) return false;
  }
  return true;
}

/** Null when there is no such file; undefined when it cannot be read, is no plain file or is too long to be honest. */
async function readConfig(path: string): Promise<string | null | undefined> {
  try {
    const file = await lstat(path);
    return file.isFile() && file.size <= MAX_CONFIG_BYTES ? await readFile(path, 'utf8') : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined;
  }
}

type Status = { text: string } | { unknown: NonNullable<Project['unknown']> };

/** The repository is passed to git: in a damaged one git would search the parent folders and report another repository. */
function runStatus({ root, gitFolder }: WorkTree, env: Env): Promise<Status> {
  return new Promise((done) => {
    execFile(
      'git',
      [...SAFE_ARGS, '-C', root, `--git-dir=${gitFolder}`, `--work-tree=${root}`, ...STATUS_ARGS],
      {
        env: safeEnv(env),
        timeout: STATUS_LIMIT_MS,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_STATUS_BYTES,
        windowsHide: true,
      },
      (error, stdout) => {
        if (!error) return done({ text: stdout });
        const isCut =
          error.killed === true || error.code === ('ERR_CHILD_PROCESS_STDIO_MAXBUFFER' as unknown as number);
        return done({ unknown: isCut ? 'slow' : 'failed' });
      },
    );
  });
}

/** `GIT_DIR` and its like would show another repository than the one that was checked. */
export function safeEnv(env: Env): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !name.startsWith('GIT_'));
  const own = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', LC_ALL: 'C' };
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...own };
}
