import { z } from 'zod';

/** A work tree of a repository: a folder in which one branch is checked out. */
export interface Worktree {
  readonly path: string;
  /** Null for a detached HEAD. */
  readonly branch: string | null;
  /** The repository's own folder, which is not removed. */
  readonly isMain: boolean;
  /** No file differs from the last commit, and no file is untracked. Null where that is not known. */
  readonly isClean: boolean | null;
  /** All commits of its branch are in the branch of the main work tree. */
  readonly isMerged: boolean;
}

/** What a new agent can be started in, for a folder. */
export type RepositoryChoices =
  | {
      readonly ok: true;
      readonly root: string;
      /** Where a new work tree is made: the branch's name is added. */
      readonly folder: string;
      readonly current: string | null;
      readonly branches: readonly string[];
      readonly worktrees: readonly Worktree[];
    }
  | { readonly ok: false; readonly reason: 'no-folder' | 'no-repository' | 'unsafe' | 'failed' };

export const NewWorktree = z.object({
  /** Name of the new branch. */
  branch: z.string().trim().min(1).max(200),
  /** The branch that it begins at. */
  from: z.string().trim().min(1).max(200),
});
export type NewWorktree = z.infer<typeof NewWorktree>;

/**
 * `name`: git takes no branch of that name. `exists`: there is a branch of that name. `folder`: its folder is there already. `base`: there is no branch to
 * begin at.
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
/** `detail`: the path or what git said; '' where there is nothing more to say. */
export type WorktreeVerdict =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: WorktreeRefusal; readonly detail: string };

/** `main`: it is the repository's own folder. `dirty`: it has changes. `unmerged`: its branch has commits of its own. */
export type RemovalVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: 'gone' | 'main' | 'dirty' | 'unmerged' | 'unsafe' | 'failed';
      readonly detail: string;
    };
