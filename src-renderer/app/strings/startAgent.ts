import type { StartVerdict } from '../../../src-main/contract/startAgent.ts';
import type { RemovalVerdict, RepositoryChoices, Worktree } from '../../../src-main/contract/worktrees.ts';

type Refusal<Verdict> = Extract<Verdict, { ok: false; reason: string }>['reason'];

const unsafe = 'git was not run: this repository names programs that git would start, or belongs to another user.';

const refusals: Record<Refusal<StartVerdict>, (detail: string) => string> = {
  agent: (install) =>
    install.includes(' ')
      ? `Not installed. Install it with: ${install}`
      : 'Not installed. Its site says how to install it.',
  'no-folder': (path) => `Not started: ${path} is not a folder. Check the path.`,
  'no-repository': (path) =>
    `Not started: ${path} is in no git repository. Start without a work tree, or run git init there.`,
  unsafe: () => `Not started: ${unsafe} Start without a work tree.`,
  name: (branch) => `Not started: git takes no branch named “${branch}”. Choose another name.`,
  exists: (branch) => `Not started: there is a branch “${branch}” already. Choose another name.`,
  folder: (path) => `Not started: ${path} exists already. Choose another branch name.`,
  base: (branch) => `Not started: there is no branch “${branch}” to begin at. Choose another one.`,
  failed: (error) => `Not started: git said “${error}”.`,
};

const noWorktree: Record<Refusal<RepositoryChoices>, string> = {
  'no-folder': 'This folder does not exist.',
  'no-repository': 'Not available: this folder is in no git repository.',
  unsafe: `Not available: ${unsafe}`,
  failed: 'Not available: git could not read this repository.',
};

const removals: Record<Refusal<RemovalVerdict>, (detail: string) => string> = {
  gone: (path) => `Not removed: ${path} is no work tree any more.`,
  main: (path) => `Not removed: ${path} is the repository itself.`,
  dirty: (path) => `Not removed: ${path} has changes. Commit or discard them first.`,
  unmerged: (branch) => `Not removed: ${branch} has commits that are not merged.`,
  unsafe: () => `Not removed: ${unsafe}`,
  failed: (error) => `Not removed: git said “${error}”.`,
};

/** The form that starts an agent. */
export const startAgent = {
  action: 'Start agent…',
  again: 'Again with another agent…',
  title: 'Start agent',
  againTitle: 'Same prompt, another agent',
  notLoaded: 'The form could not be loaded.',
  agent: 'Agent',
  missing: (label: string) => `${label} (not installed)`,
  folder: 'Folder',
  worktree: 'Work tree',
  reading: 'Reading the repository…',
  ownWorktree: 'In a work tree of its own, on a new branch',
  noWorktree,
  branch: 'New branch',
  from: 'Created from',
  trees: 'Existing',
  use: 'Start in this work tree',
  remove: 'Remove…',
  treeFacts: ({ isClean, isMerged }: Worktree) =>
    [isClean === false && 'has changes', isMerged ? 'merged' : 'not merged'].filter(Boolean).join(', '),
  model: 'Model',
  modelAbout: 'The agent’s own choice',
  prompt: 'First prompt',
  promptAbout: 'Sent as soon as the agent takes input. Ctrl+Return starts.',
  confirm: 'Start',
  refusals,
  failed: (error: string) => `Not started: ${error}`,
  removal: {
    title: 'Remove work tree?',
    body: (branch: string) =>
      `The folder and the branch ${branch} are removed. All of its commits are merged, and no file has changes.`,
    confirm: 'Remove work tree',
    open: (path: string) => `Not removed: a terminal is open in ${path}. Close it first.`,
    ...removals,
  },
} as const;
