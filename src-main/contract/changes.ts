import { z } from 'zod';

/**
 * Why there is no snapshot. `outside`: no git work tree is around the folder. `foreign`: the repository belongs to another user.
 * `large`: more untracked files than a snapshot takes. `slow`: git did not finish in time. `git`: no git was found. `failed`: git or the disk refused.
 * Of a comparison alone: `gone`, the snapshots or their repository were removed; `unended`, Hansard did not see the end of the turn; `moved`, the turn
 * ended in another repository.
 */
export const SnapshotFault = z.object({
  why: z.enum(['outside', 'foreign', 'large', 'slow', 'git', 'failed', 'gone', 'unended', 'moved']),
  /** For people: counts and sizes, or the first line that git printed. */
  detail: z.string(),
});
export type SnapshotFault = z.infer<typeof SnapshotFault>;

/** A file that a snapshot leaves out. `large`: over the limit; `unreadable`; `nested`: a repository within, without a commit. */
export const LeftOut = z.object({
  path: z.string(),
  why: z.enum(['large', 'unreadable', 'nested']),
  bytes: z.number().nullable(),
  /** ms since 1970; null where it is not known. Two snapshots with the same size and time have the same file, as far as it is known. */
  changedMs: z.number().nullable(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** What is known of a work tree at one moment. */
export const SnapshotTaken = z.object({
  commit: z.string(),
  tree: z.string(),
  leftOut: z.array(LeftOut).default([]),
  /** Files that were in the snapshot before and that git ignores now: they are gone from this one, not from the folder. */
  ignored: z.array(z.string()).default([]),
});
export type SnapshotTaken = z.infer<typeof SnapshotTaken>;

/** A line of changes.jsonl. A later line with the same `n` replaces the earlier one. */
export const SnapshotLine = z.object({
  conversationId: z.string(),
  /** Within the conversation, from 1. The ref is `refs/hansard/<conversation>/<n>`. */
  n: z.number().int().positive(),
  /** Turn of the conversation, from 1. */
  turn: z.number().int().positive(),
  /** `begin`: its prompt was received; `end`: the agent was done; `restore`: before a file was restored. */
  edge: z.enum(['begin', 'end', 'restore']),
  atMs: z.number(),
  /** The message with the prompt, and its first line; null and '' where no prompt was seen. */
  promptId: z.string().nullable(),
  title: z.string(),
  /** The folder of the agent, and of its repository: the work tree and where refs and objects are; null outside of git. */
  cwd: z.string(),
  repository: z.object({ root: z.string(), common: z.string() }).nullable(),
  taken: SnapshotTaken.nullable(),
  fault: SnapshotFault.nullable(),
  /** Other conversations that worked in the same work tree during the turn. */
  others: z.array(z.string()).default([]),
  /** Files that differ from the first snapshot of the conversation; null where it is not known. */
  files: z.number().int().nullable().default(null),
});
export type SnapshotLine = z.infer<typeof SnapshotLine>;

/** One turn of a conversation, as lists show it. */
export interface ChangeTurn {
  readonly turn: number;
  readonly title: string;
  readonly promptId: string | null;
  readonly startedMs: number;
  /** Null while it goes on. */
  readonly endedMs: number | null;
  /** Why its changes are not known; null where both snapshots were taken. */
  readonly fault: SnapshotFault | null;
  /** Names of other agents that worked in the same folder at the same time. */
  readonly others: readonly string[];
}

/** The turns of a conversation, the newest first. */
export interface ConversationChanges {
  readonly isOn: boolean;
  /** The work tree; null outside of git, and before a snapshot. */
  readonly root: string | null;
  readonly cwd: string | null;
  /** Files that differ between the first and the last snapshot; null where that is not known. */
  readonly files: number | null;
  readonly turns: readonly ChangeTurn[];
}

export type FileStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'mode' | 'type' | 'ignored';

/** A file that differs between two snapshots. */
export interface ChangedFile {
  /** Names it in requests: base64url of the bytes of its path. */
  readonly id: string;
  /** Seen from the work tree's root; bytes that are not UTF-8 as `\xNN`. */
  readonly path: string;
  /** The path that it was renamed from. */
  readonly from: string | null;
  readonly status: FileStatus;
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
  /** As git writes them: `100644`, `100755`, `120000` a symbolic link, `160000` a submodule, `000000` absent. */
  readonly oldMode: string;
  readonly newMode: string;
}

/** A command that ran in a turn, with what its card or the agent's screen says of its end. */
export interface TurnCommand {
  readonly text: string;
  readonly status: 'running' | 'done' | 'failed' | 'unknown';
  /** Only of a command with a card. */
  readonly exitCode: number | null;
  readonly blockId: string | null;
  readonly terminalId: string;
  /** Tests that its output counts; null where it counts none. */
  readonly tests: { readonly passed: number; readonly failed: number } | null;
}

/** What changed in a turn, or in the whole conversation. */
export interface ChangeSet {
  readonly files: readonly ChangedFile[];
  /** Files that were too large or could not be read, and so could not be compared. */
  readonly leftOut: readonly (LeftOut & { readonly hasChanged: boolean | null })[];
  readonly fault: SnapshotFault | null;
  /** The turn goes on: the end of the comparison is the folder as it is now. */
  readonly isLive: boolean;
  readonly commands: readonly TurnCommand[];
}

export const ChangeRange = z.object({
  terminalId: z.string().max(64),
  conversationId: z.string().max(64),
  /** Null: from the first prompt to the last snapshot. */
  turn: z.number().int().positive().nullable(),
});
export type ChangeRange = z.infer<typeof ChangeRange>;

export const ChangedFileRef = ChangeRange.extend({ fileId: z.string().max(8192) });
export type ChangedFileRef = z.infer<typeof ChangedFileRef>;

/** `isCut`: only its beginning, as it is longer than a window shows. */
export interface ChangePatch {
  readonly text: string;
  readonly isCut: boolean;
}

/** `snapshot`: the number of the snapshot that holds what was replaced. */
export type RestoreVerdict =
  | { readonly ok: true; readonly snapshot: number; readonly isRemoved: boolean }
  | { readonly ok: false; readonly reason: string };
