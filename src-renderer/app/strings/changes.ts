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

/** Why there are no changes to show, and what to do. */
function fault({ why, detail }: SnapshotFault): string {
  const reasons: Record<SnapshotFault['why'], string> = {
    outside: 'This folder is in no git work tree, so there is no snapshot of it. Run `git init` to follow changes.',
    foreign: 'The repository belongs to another user, so no snapshot was taken.',
    large: `No snapshot: there are ${detail}. Add what is generated to \`.gitignore\`.`,
    slow: 'No snapshot: reading the folder took too long. The next one continues where this one stopped.',
    git: 'No snapshot: git was not found. Install git.',
    failed: `No snapshot: ${detail}`,
    gone: 'The snapshots of this turn were removed from the repository, or the repository is gone.',
    unended: 'Hansard stopped before this turn ended, so its changes are not known.',
    moved: 'The turn ended in another repository, so its changes cannot be compared.',
  };
  return reasons[why];
}

/** What an agent changed, beside its conversation. */
export const changes = {
  parts: 'Parts of the conversation panel',
  messages: 'Conversation',
  tab: 'Changes',
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
    `Another agent worked in this folder at the same time (${names.join(', ')}): changes may be of both.`,
  scope: 'Everything that changed in this folder between prompt and end, by the agent or by others.',

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
  binaryDiff: 'A binary file has no lines to compare. Copy the patch to get its bytes.',
  modeDiff: 'Only the mode of the file changed.',
  ignoredDiff: 'Git ignores this file now, so snapshots leave it out. It was not deleted.',
  noLines: 'No lines changed.',
  cut: 'The change is longer than is shown here. Copy the patch to get all of it.',
  showAll: (lines: string) => `Show all ${lines}`,
  hunk: 'Lines left out',
  sameAgain: 'This file is as it was before.',
  failed: (reason: string) => `Could not read the change: ${reason}`,

  file: {
    open: 'Open in editor',
    openTip: 'Open in editor · O',
    opened: (path: string) => `Opened ${path}`,
    notOpened: (reason: string) => `Could not open it: ${reason}. Its path was copied.`,
    copyTip: 'Copy a patch of this file · C',
    restore: 'Restore…',
    restoreTip: 'Restore this file as it was before the turn · R',
  },
  restore: {
    title: (path: string) => `Restore ${path}?`,
    body: 'The file becomes what it was before this turn. Later changes of it are replaced. Hansard takes a snapshot of the folder before it does this.',
    bodyAdded:
      'This file was not there before the turn, so it is deleted. Hansard takes a snapshot of the folder before it does this.',
    confirm: 'Restore file',
    confirmAdded: 'Delete file',
    done: (path: string, snapshot: number) => `Restored ${path}. Snapshot ${snapshot} has what it replaced.`,
    removed: (path: string, snapshot: number) => `Deleted ${path}. Snapshot ${snapshot} has it.`,
    failed: (reason: string) => `Not restored: ${reason}`,
  },

  commands: 'Commands',
  commandEnd: (status: TurnCommand['status'], exitCode: number | null) =>
    exitCode === null ? ends[status] : `exit ${exitCode}`,
  passed: (count: number) => `${formatCount(count)} passed`,
  failedTests: (count: number) => `${formatCount(count)} failed`,

  fault,
  noSnapshot: 'No snapshots here.',
  empty: 'No changes yet.',
  emptyAbout: 'Hansard takes a snapshot of the folder at your next prompt and when the agent is done.',
  none: 'No snapshots of this conversation.',
  noneAbout: 'It ended before Hansard took any, or `agents.changes` was off.',
  off: 'Changes are not followed.',
  offAbout: 'Turn on “Show what agents change” in the settings.',
  unread: (reason: string) => `Could not read the changes: ${reason}`,
} as const;
