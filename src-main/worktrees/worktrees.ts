import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type {
  NewWorktree,
  RemovalVerdict,
  RepositoryChoices,
  Worktree,
  WorktreeRefusal,
  WorktreeRemoval,
  WorktreeVerdict,
} from '../contract/worktrees.ts';
import type { Env } from '../projects/readProject.ts';
import { findWorkTree, type WorkTree } from '../store/record/gitBranch.ts';
import { hasHiddenEdits } from './hiddenEdits.ts';
import { canRunGit, runGit } from './runGit.ts';

/** A list has at most this many branches, which is more than a person reads. */
const MAX_BRANCHES = 500;
/** Git compares the files of at most this many work trees. */
const MAX_COMPARED = 20;

/** Reads the repository around a folder, its branches (latest commit first) and its work trees. Never rejects. */
export async function readRepository(cwd: string, env: Env): Promise<RepositoryChoices> {
  const tree = await treeAt(cwd);
  if (typeof tree === 'string') return { ok: false, reason: tree };
  const [listed, refs] = await Promise.all([
    runGit(tree, ['worktree', 'list', '--porcelain', '-z'], env),
    runGit(tree, ['for-each-ref', '--sort=-committerdate', '--format=%(refname:short)', 'refs/heads'], env),
  ]);
  if (!listed.isOk || !refs.isOk) return { ok: false, reason: 'failed' };
  const places = parseWorktrees(listed.text);
  const main = places[0];
  if (!main) return { ok: false, reason: 'failed' };
  const root = { root: main.path, gitFolder: '' };
  const merged = await runGit(root, ['branch', '--merged', 'HEAD', '--format=%(refname:short)'], env);
  const isMerged = new Set(merged.isOk ? merged.text.split('\n') : []);
  const worktrees: Worktree[] = [];
  for (const [at, { path, branch }] of places.entries())
    worktrees.push({
      path,
      branch,
      isMain: at === 0,
      ...(at < MAX_COMPARED ? await readFiles(path, env) : UNKNOWN),
      isMerged: at === 0 || (branch !== null && isMerged.has(branch)),
      isOwn: branch !== null && path === placeOf(main.path, branch),
    });
  const current = places.find(({ path }) => path === tree.root)?.branch ?? null;
  const branches = refs.text.split('\n').filter(Boolean).slice(0, MAX_BRANCHES);
  return { ok: true, root: tree.root, folder: folderOf(main.path), current, branches, worktrees };
}

/** Creates a branch and a work tree for it beside the repository: `<repository>-worktrees/<branch>`. Never rejects. */
export async function addWorktree(cwd: string, { branch, from }: NewWorktree, env: Env): Promise<WorktreeVerdict> {
  const tree = await treeAt(cwd);
  if (typeof tree === 'string') return refused(tree, cwd);
  const valid = await runGit(tree, ['check-ref-format', '--branch', branch], env);
  if (!valid.isOk || branch.startsWith('-')) return refused('name', branch);
  if (await hasBranch(tree, branch, env)) return refused('exists', branch);
  if (!(await hasBranch(tree, from, env))) return refused('base', from);
  const listed = await runGit(tree, ['worktree', 'list', '--porcelain', '-z'], env);
  const main = parseWorktrees(listed.text)[0];
  if (!main) return refused('failed', listed.error);
  const path = placeOf(main.path, branch);
  if (await stat(path).catch(() => null)) return refused('folder', path);
  const added = await runGit(
    tree,
    ['worktree', 'add', '--quiet', '--no-track', '-b', branch, path, `refs/heads/${from}`],
    env,
  );
  return added.isOk ? { ok: true, path } : refused('failed', added.error);
}

/**
 * Removes a work tree where nothing is lost by it: no changed or untracked file, no ignored one that the person was not shown, no commit of its own. Its
 * branch goes too if the work tree was made here. Never rejects.
 */
export async function removeWorktree({ path, ignored }: WorktreeRemoval, env: Env): Promise<RemovalVerdict> {
  const choices = await readRepository(path, env);
  if (!choices.ok) return { ok: false, reason: choices.reason === 'unsafe' ? 'unsafe' : 'gone', detail: path };
  const own = choices.worktrees.find((one) => one.path === path);
  const main = choices.worktrees[0];
  if (!own || !main) return { ok: false, reason: 'gone', detail: path };
  if (own.isMain) return { ok: false, reason: 'main', detail: path };
  if (own.isClean !== true) return { ok: false, reason: 'dirty', detail: path };
  const unseen = own.ignored.filter((one) => !ignored.includes(one));
  if (unseen.length > 0) return { ok: false, reason: 'ignored', detail: unseen.join(', ') };
  if (!own.isMerged || own.branch === null) return { ok: false, reason: 'unmerged', detail: own.branch ?? path };
  const root = { root: main.path, gitFolder: '' };
  const removed = await runGit(root, ['worktree', 'remove', path], env); // git refuses if a file has changed since
  if (!removed.isOk) return { ok: false, reason: 'failed', detail: removed.error };
  if (!own.isOwn) return { ok: true };
  const deleted = await runGit(root, ['branch', '-d', own.branch], env);
  return deleted.isOk ? { ok: true } : { ok: false, reason: 'branch', detail: deleted.error };
}

async function treeAt(cwd: string): Promise<WorkTree | 'no-folder' | 'no-repository' | 'unsafe'> {
  const folder = await stat(cwd).catch(() => null);
  if (!folder?.isDirectory()) return 'no-folder';
  const tree = await findWorkTree(cwd);
  if (!tree) return 'no-repository';
  return (await canRunGit(tree)) ? tree : 'unsafe';
}

async function hasBranch(tree: WorkTree, branch: string, env: Env): Promise<boolean> {
  return (await runGit(tree, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], env)).isOk;
}

const UNKNOWN = { isClean: null, ignored: [] } as const;
const STATUS = ['status', '--porcelain', '-z', '--untracked-files=normal', '--ignored=traditional'];
const IGNORED = '!! ';

async function readFiles(root: string, env: Env): Promise<Pick<Worktree, 'isClean' | 'ignored'>> {
  const tree = await treeAt(root);
  if (typeof tree === 'string') return UNKNOWN;
  const status = await runGit(tree, STATUS, env);
  if (!status.isOk) return UNKNOWN;
  const lines = status.text.split('\0').filter(Boolean);
  const isClean = lines.every((line) => line.startsWith(IGNORED));
  const isHidden = isClean ? await hasHiddenEdits(tree, env) : false;
  return {
    isClean: isHidden === null ? null : isClean && !isHidden,
    ignored: lines.filter((line) => line.startsWith(IGNORED)).map((line) => line.slice(IGNORED.length)),
  };
}

/** Parses `git worktree list --porcelain -z`, with the main work tree first. Leaves out bare repositories and work trees whose folder is gone. */
export function parseWorktrees(text: string): { path: string; branch: string | null }[] {
  return text
    .split('\0\0')
    .map((part) => part.split('\0'))
    .filter((lines) => !lines.some((line) => line === 'bare' || line.startsWith('prunable')))
    .flatMap((lines) => {
      const path = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length);
      const branch = lines.find((line) => line.startsWith('branch refs/heads/'))?.slice('branch refs/heads/'.length);
      return path ? [{ path, branch: branch ?? null }] : [];
    });
}

function folderOf(mainRoot: string): string {
  return join(dirname(mainRoot), `${basename(mainRoot)}-worktrees`);
}

function placeOf(mainRoot: string, branch: string): string {
  return join(folderOf(mainRoot), branch.replaceAll('/', '-'));
}

function refused(reason: WorktreeRefusal, detail: string): WorktreeVerdict {
  return { ok: false, reason, detail };
}
