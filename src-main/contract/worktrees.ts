import { z } from 'zod';

/** A work tree of a repository: a folder in which one branch is checked out. */
export interface Worktree {
  readonly path: string;
  /** Null for a detached HEAD. */
  readonly branch: string | null;
  /** True for the main work tree, which is never removed. */
  readonly isMain: boolean;
  /** True if no file differs from the last commit and no file is untracked; null if not known. */
  readonly isClean: boolean | null;
  /** True if all commits of its branch are in the branch of the main work tree. */
  readonly isMerged: boolean;
  /** It is at Hansard's path for its branch: the branch is removed with it. */
  readonly isOwn: boolean;
  /** Files and folders (with "/" at the end) that git ignores, relative to it: git removes them with it and keeps no copy. */
  readonly ignored: readonly string[];
}

/** The choices of work trees for a new agent in a folder. */
export type RepositoryChoices =
  | {
      readonly ok: true;
      readonly root: string;
      /** Parent folder of new work trees. The name of the branch is added. */
      readonly folder: string;
      readonly current: string | null;
      readonly branches: readonly string[];
      readonly worktrees: readonly Worktree[];
    }
  | { readonly ok: false; readonly reason: 'no-folder' | 'no-repository' | 'unsafe' | 'failed' };

export const NewWorktree = z.object({
  /** Name of the new branch. */
  branch: z.string().trim().min(1).max(200),
  /** The branch from which it is created. */
  from: z.string().trim().min(1).max(200),
});
export type NewWorktree = z.infer<typeof NewWorktree>;

/**
 * `name`: git does not accept the name of the branch. `exists`: the branch already exists. `folder`: its folder already exists. `base`: the branch to
 * create it from does not exist.
 */
export type WorktreeRefusal =
  | 'no-folder'
  | 'no-repository'
  | 'unsafe'
  | 'name'
  | 'exists'
  | 'folder'
  | 'base'
  | 'failed';
/** `detail`: the path or git's error message; '' if there is no detail. */
export type WorktreeVerdict =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: WorktreeRefusal; readonly detail: string };

export const WorktreeRemoval = z.object({
  path: z.string().min(1).max(4096),
  /** The ignored files that the person saw: any other ignored file prevents the removal. */
  ignored: z.array(z.string().max(4096)).max(100_000),
});
export type WorktreeRemoval = z.infer<typeof WorktreeRemoval>;

/**
 * `main`: the repository's own folder. `open`: a terminal is open in it. `dirty`: it has changes. `ignored`: it has ignored files that the person did
 * not see. `unmerged`: its branch has commits of its own. `branch`: it was removed, but git kept its branch. Any other reason leaves it unchanged.
 */
export type RemovalVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: 'gone' | 'main' | 'open' | 'dirty' | 'ignored' | 'unmerged' | 'branch' | 'unsafe' | 'failed';
      readonly detail: string;
    };
