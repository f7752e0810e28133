import type { StartVerdict } from '../../../src-main/contract/startAgent.ts';
import type { RemovalVerdict, RepositoryChoices, Worktree } from '../../../src-main/contract/worktrees.ts';

type Refusal<Verdict> = Extract<Verdict, { ok: false; reason: string }>['reason'];

const unsafe = 'Hansard did not run git, because the repository’s config names programs or it belongs to another user.';

const refusals: Record<Refusal<StartVerdict>, (detail: string) => string> = {
  agent: (install) =>
    install.includes(' ')
      ? `Not installed. Install it with: ${install}`
      : 'Not installed. See its website for how to install it.',
  'no-folder': (path) => `Not started: ${path} is not a folder. Check the path.`,
  'no-repository': (path) =>
    `Not started: ${path} is in no git repository. Start without a new work tree, or run git init there.`,
  unsafe: () => `Not started: ${unsafe} Start without a new work tree.`,
  name: (branch) => `Not started: git does not accept “${branch}” as the name of a branch. Choose another name.`,
  exists: (branch) => `Not started: the branch “${branch}” already exists. Choose another name.`,
  folder: (path) => `Not started: ${path} already exists. Choose another branch name.`,
  base: (branch) => `Not started: the branch “${branch}” does not exist. Choose another one to create from.`,
  failed: (error) => `Not started: git reported “${error}”.`,
};

const noWorktree: Record<Refusal<RepositoryChoices>, string> = {
  'no-folder': 'This folder does not exist.',
  'no-repository': 'Not available: this folder is in no git repository.',
  unsafe: `Not available: ${unsafe}`,
  failed: 'Not available: git could not read this repository.',
};

const removals: Record<Refusal<RemovalVerdict>, (detail: string) => string> = {
  gone: (path) => `Not removed: ${path} is no longer a work tree.`,
  main: (path) => `Not removed: ${path} is the main work tree of the repository.`,
  open: (path) => `Not removed: a terminal is open in ${path}. Close it first.`,
  ignored: (files) => `Not removed: there are ignored files that you have not seen: ${files}. Choose Remove… again.`,
  dirty: (path) => `Not removed: ${path} has changes. Commit or discard them first.`,
  unmerged: (branch) => `Not removed: ${branch} has commits that are not merged. Merge it first.`,
  branch: (error) => `The work tree is removed, its branch is kept: git said “${error}”.`,
  unsafe: () => `Not removed: ${unsafe}`,
  failed: (error) => `Not removed: git reported “${error}”.`,
};

/** The form that starts an agent. */
export const startAgent = {
  action: 'Start agent…',
  again: 'Again with another agent…',
  title: 'Start agent',
  againTitle: 'Same prompt, another agent',
  agent: 'Agent',
  missing: (label: string) => `${label} (not installed)`,
  folder: 'Folder',
  worktree: 'Work tree',
  reading: 'Reading the repository…',
  ownWorktree: 'New work tree on a new branch',
  noWorktree,
  branch: 'New branch',
  from: 'Created from',
  trees: 'Existing',
  use: 'Start in this work tree',
  remove: 'Remove…',
  treeFacts: ({ isClean, isMerged }: Worktree) =>
    [isClean === false && 'has changes', isMerged ? 'merged' : 'not merged'].filter(Boolean).join(', '),
  model: 'Model',
  modelAbout: 'Agent’s default',
  prompt: 'First prompt',
  promptAbout: 'Sent as soon as the agent takes input. Ctrl+Return starts the agent.',
  confirm: 'Start',
  refusals,
  failed: (error: string) => `Not started: ${error}`,
  removal: {
    title: 'Remove work tree?',
    body: ({ branch, isOwn, ignored }: Worktree) =>
      [
        isOwn
          ? `The folder and the branch ${branch} are removed.`
          : `The folder is removed, the branch ${branch} stays.`,
        'All of its commits are merged, and no file has changes.',
        ignored.length > 0 && 'Files that git ignores are removed too, and git has no copy of them:',
      ]
        .filter(Boolean)
        .join(' '),
    confirm: 'Remove work tree',
    ...removals,
  },
} as const;
