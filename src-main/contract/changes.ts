import { z } from 'zod';

/**
 * Why there is no snapshot. `outside`: no git work tree is around the folder. `foreign`: the repository belongs to another user.
 * `large`: more untracked files than a snapshot takes. `slow`: git did not finish in time. `git`: git is missing. `failed`: git or the disk refused.
 * Only in a comparison: `gone`, the snapshots or their repository were removed; `unended`, Hansard did not see the end of the turn; `moved`, the turn
 * ended in another repository.
 */
export const SnapshotFault = z.object({
  why: z.enum(['outside', 'foreign', 'large', 'slow', 'git', 'failed', 'gone', 'unended', 'moved']),
  /** Text for people: counts and sizes, or the first line that git printed. */
  detail: z.string(),
});
export type SnapshotFault = z.infer<typeof SnapshotFault>;

/** A file that a snapshot leaves out. `large`: over the limit; `unreadable`; `nested`: a repository inside, without a commit. */
export const LeftOut = z.object({
  path: z.string(),
  why: z.enum(['large', 'unreadable', 'nested']),
  bytes: z.number().nullable(),
  /** ms since 1970; null if not known. A file with the same size and time in two snapshots counts as unchanged. */
  changedMs: z.number().nullable(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** The state of a work tree at one moment. */
export const SnapshotTaken = z.object({
  commit: z.string(),
  tree: z.string(),
  leftOut: z.array(LeftOut).default([]),
  /** Files of the previous snapshot that git now ignores. They are not in this one, but still in the folder. */
  ignored: z.array(z.string()).default([]),
});
export type SnapshotTaken = z.infer<typeof SnapshotTaken>;

/** A line of changes.jsonl. A later line with the same `n` replaces the earlier one. */
export const SnapshotLine = z.object({
  conversationId: z.string(),
  /** Number of the snapshot in the conversation, from 1. The ref is `refs/hansard/<conversation>/<n>`. */
  n: z.number().int().positive(),
  /** Number of the turn in the conversation, from 1. */
  turn: z.number().int().positive(),
  /** `begin`: its prompt was received; `end`: the agent was done; `restore`: before a file was restored. */
  edge: z.enum(['begin', 'end', 'restore']),
  atMs: z.number(),
  /** Id of the message with the prompt, and its first line; null and '' if no prompt was seen. */
  promptId: z.string().nullable(),
  title: z.string(),
  /** The folder of the agent; the work tree around it and the folder with refs and objects, null outside of git. */
  cwd: z.string(),
  repository: z.object({ root: z.string(), common: z.string() }).nullable(),
  taken: SnapshotTaken.nullable(),
  fault: SnapshotFault.nullable(),
  /** Other conversations that worked in the same work tree during the turn. */
  others: z.array(z.string()).default([]),
  /** Number of files that differ from the first snapshot of the conversation; null if not known. */
  files: z.number().int().nullable().default(null),
});
export type SnapshotLine = z.infer<typeof SnapshotLine>;

/** One turn of a conversation, as lists show it. */
export interface ChangeTurn {
  readonly turn: number;
  readonly title: string;
  readonly promptId: string | null;
  readonly startedMs: number;
  /** Null while the turn is in progress. */
  readonly endedMs: number | null;
  /** Why its changes are not known; null if both snapshots were taken. */
  readonly fault: SnapshotFault | null;
  /** Names of other agents that worked in the same folder at the same time. */
  readonly others: readonly string[];
}

/** The turns of a conversation, newest first. */
export interface ConversationChanges {
  readonly isOn: boolean;
  /** The work tree; null outside of git, and before a snapshot. */
  readonly root: string | null;
  readonly cwd: string | null;
  /** Number of files that differ between the first and the last snapshot; null if not known. */
  readonly files: number | null;
  readonly turns: readonly ChangeTurn[];
}

export type FileStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'mode' | 'type' | 'ignored';

/** A file that differs between two snapshots. */
export interface ChangedFile {
  /** Id in requests: base64url of the bytes of its path. */
  readonly id: string;
  /** Path relative to the work tree's root, with bytes that are not UTF-8 as `\xNN`. */
  readonly path: string;
  /** The earlier path of a renamed file. */
  readonly from: string | null;
  readonly status: FileStatus;
  /** Number of lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Modes as git writes them: `100644`, `100755`, `120000` a symbolic link, `160000` a submodule, `000000` absent. */
  readonly oldMode: string;
  readonly newMode: string;
}

/** A command that ran in a turn, with its end from its card or from the agent's screen. */
export interface TurnCommand {
  readonly text: string;
  readonly status: 'running' | 'done' | 'failed' | 'unknown';
  /** Known only for a command with a card. */
  readonly exitCode: number | null;
  readonly blockId: string | null;
  readonly terminalId: string;
  /** Tests that its output counts; null if it counts no tests. */
  readonly tests: { readonly passed: number; readonly failed: number } | null;
}

/** What changed in a turn, or in the whole conversation. */
export interface ChangeSet {
  readonly files: readonly ChangedFile[];
  /** Files that were too large or could not be read, and so could not be compared. */
  readonly leftOut: readonly (LeftOut & { readonly hasChanged: boolean | null })[];
  readonly fault: SnapshotFault | null;
  /** True while the turn is in progress. The comparison then ends with the folder as it is now. */
  readonly isLive: boolean;
  readonly commands: readonly TurnCommand[];
}

export const ChangeRange = z.object({
  terminalId: z.string().max(64),
  conversationId: z.string().max(64),
  /** Number of the turn. Null: from the first prompt to the last snapshot. */
  turn: z.number().int().positive().nullable(),
});
export type ChangeRange = z.infer<typeof ChangeRange>;

export const ChangedFileRef = ChangeRange.extend({ fileId: z.string().max(8192) });
export type ChangedFileRef = z.infer<typeof ChangedFileRef>;

/** `isCut`: only the beginning is here, because it is longer than a window shows. */
export interface ChangePatch {
  readonly text: string;
  readonly isCut: boolean;
}

/** `snapshot`: number of the snapshot with the replaced content. */
export type RestoreVerdict =
  | { readonly ok: true; readonly snapshot: number; readonly isRemoved: boolean }
  | { readonly ok: false; readonly reason: string };
