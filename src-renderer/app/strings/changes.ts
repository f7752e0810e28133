import type { FileStatus, LeftOut, SnapshotFault, TurnCommand } from '../../../src-main/contract/changes.ts';
import { formatCount } from '../formatWords.ts';

const statuses: Record<FileStatus, string> = {
  added: 'Added',
  modified: 'Changed',
  deleted: 'Deleted',
  renamed: 'Renamed',
  mode: 'Mode changed',
  type: 'Type changed',
  ignored: 'Now ignored',
};

const letters: Record<FileStatus, string> = {
  ...{ added: 'A', modified: 'M', deleted: 'D', renamed: 'R', mode: 'X', type: 'T', ignored: 'I' },
};

const leftOut: Record<LeftOut['why'], string> = {
  large: 'over 10 MiB',
  unreadable: 'cannot be read',
  nested: 'a repository without a commit',
};

const ends: Record<TurnCommand['status'], string> = { running: 'running', done: 'done', failed: 'failed', unknown: '' };

/** Says why there are no changes to show, and what to do. */
function fault({ why, detail }: SnapshotFault): string {
  const reasons: Record<SnapshotFault['why'], string> = {
    outside: 'No snapshot: this folder is in no git work tree. Run `git init` to see changes.',
    foreign: 'No snapshot: the repository belongs to another user. Start the agent in a repository of your own.',
    large: `No snapshot: there are ${detail}. Add generated files to \`.gitignore\`.`,
    slow: 'No snapshot: reading the folder took too long. The next snapshot continues where this one stopped.',
    git: 'No snapshot: git was not found. Install git.',
    failed: `No snapshot: ${detail}`,
    gone: 'The snapshots of this turn were removed from the repository, or the repository is gone.',
    unended: 'Hansard stopped before this turn ended, so its changes are not known.',
    moved: 'The turn ended in another repository or work tree, so its changes cannot be compared.',
  };
  return reasons[why];
}

/** The changes of an agent, beside its conversation. */
export const changes = {
  parts: 'Parts of the conversation panel',
  tabCount: (files: number) => `Changes, ${files === 1 ? '1 file' : `${formatCount(files)} files`}`,
  count: (files: number) => formatCount(files),
  action: 'Show changes',
  label: 'Changes of this conversation',

  range: 'Range',
  byTurn: 'By turn',
  all: 'All turns',
  allTip: 'From the first prompt to the last snapshot',
  copyPatch: 'Copy as patch',
  copyPatchTip: 'Copy a patch for git apply',
  copiedPatch: 'Copied patch',
  copyFailed: 'Could not copy the patch',

  turn: (turn: number) => `Turn ${turn}`,
  noPrompt: 'Prompt not seen',
  running: 'in progress',
  others: (names: readonly string[]) =>
    `Another agent worked in this folder at the same time (${names.join(', ')}). Some changes may be from that agent.`,
  scope: 'All changes in this folder between the prompt and the end of the turn, by the agent or by others.',

  statuses,
  letters,
  renamed: (from: string) => `from ${from}`,
  added: (lines: number) => `+${formatCount(lines)}`,
  removed: (lines: number) => `−${formatCount(lines)}`,
  lines: (added: number, removed: number) => `${formatCount(added)} lines added, ${formatCount(removed)} removed`,
  binary: 'binary',
  mode: (from: string, to: string) => `${from} → ${to}`,
  leftOut: (path: string, why: LeftOut['why'], hasChanged: boolean | null) =>
    `${path} was not compared: ${leftOut[why]}${hasChanged ? ', and it changed' : ''}.`,
  noFiles: 'No files changed.',
  noFilesYet: 'No files changed so far.',

  diff: (path: string) => `Changes of ${path}`,
  binaryDiff: 'Binary files have no lines to compare. Copy the patch to get the bytes.',
  modeDiff: 'Only the mode of the file changed.',
  ignoredDiff: 'Git now ignores this file, so snapshots leave it out. It was not deleted.',
  noLines: 'No lines changed.',
  cut: 'This change is too long to show in full. Copy the patch to get all of it.',
  showAll: (lines: string) => `Show all ${lines}`,
  hunk: 'Lines left out',
  failed: (reason: string) => `Could not read the change: ${reason}`,

  file: {
    open: 'Open in editor',
    openTip: 'Open in editor · O',
    opened: (path: string) => `Opened ${path}`,
    notOpened: (reason: string) => `Could not open the file: ${reason}. Its path was copied.`,
    copyTip: 'Copy a patch of this file · C',
    restore: 'Restore…',
    restoreTip: 'Restore the file as it was before the turn · R',
  },
  restore: {
    title: (path: string) => `Restore ${path}?`,
    body: 'Restores the file as it was before this turn and replaces later changes. Hansard takes a snapshot of the folder first.',
    bodyAdded: 'Deletes the file, which did not exist before this turn. Hansard takes a snapshot of the folder first.',
    confirm: 'Restore file',
    confirmAdded: 'Delete file',
    done: (path: string, snapshot: number) => `Restored ${path}. Snapshot ${snapshot} has the replaced file.`,
    removed: (path: string, snapshot: number) => `Deleted ${path}. Snapshot ${snapshot} has the file.`,
    failed: (reason: string) => `Not restored: ${reason}`,
  },

  commands: 'Commands',
  commandEnd: (status: TurnCommand['status'], exitCode: number | null) =>
    exitCode === null ? ends[status] : `exit ${exitCode}`,
  passed: (count: number) => `${formatCount(count)} passed`,
  failedTests: (count: number) => `${formatCount(count)} failed`,

  fault,
  noSnapshot: 'No snapshots in this folder.',
  empty: 'No changes yet.',
  emptyAbout: 'Hansard takes a snapshot of the folder at your next prompt and when the agent is done.',
  none: 'No snapshots of this conversation.',
  noneAbout: 'The conversation ended before Hansard took a snapshot, or `agents.changes` was off.',
  off: 'Changes are off.',
  offAbout: 'Turn on “Show what agents change” in the settings.',
  unread: (reason: string) => `Could not read the changes: ${reason}`,

  compare: {
    action: 'Compare changes of panes',
    button: 'Side by side',
    tip: 'Compare with what the agents of the other panes changed',
    title: 'Changes side by side',
    of: (label: string, folder: string) => `Changes by ${label} in ${folder}`,
    tooFew: 'Two panes of this tab need a conversation with an agent.',
  },
} as const;
