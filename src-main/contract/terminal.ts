import * as z from 'zod/mini';
import type { AgentStatus } from './chat/chat.ts';
import { TerminalId } from './ids.ts';
import type { StateLines } from './screen/stateLines.ts';

/** How well the shell reports where commands begin and end, with the reason and a one-line fix. */
export const Quality = z.object({
  level: z.enum(['unknown', 'none', 'basic', 'rich', 'degraded']),
  reason: z.string(),
  fix: z.nullable(z.string()),
});
export type Quality = z.infer<typeof Quality>;

/** 2 to 1000 columns and rows: node-pty and the emulator accept sizes that would exhaust memory. */
export const TerminalSize = z.object({
  cols: z.int().check(z.gte(2), z.lte(1000)),
  rows: z.int().check(z.gte(2), z.lte(1000)),
});
export type TerminalSize = z.infer<typeof TerminalSize>;

/** Who owns a terminal's size: the asking viewer, another one, or a client with a lease. */
export type SizedBy = 'self' | 'viewer' | 'agent';

/** A command that ended with an error. */
export const Failure = z.object({ atMs: z.number(), exitCode: z.int(), signal: z.nullable(z.string()) });
export type Failure = z.infer<typeof Failure>;

/** What has happened in a terminal since the person last looked at it. */
export const Unseen = z.object({
  /** Rang the bell or sent a notification. */
  bell: z.boolean(),
  /** How the last command failed; null if it succeeded or its end is unknown. */
  failure: z.nullable(Failure),
  /** Last message of a program by OSC 9, 99 or 777, cleaned: its own claim. A new object each time. */
  notification: z.nullable(z.object({ title: z.nullable(z.string()), body: z.string() })),
});
export type Unseen = z.infer<typeof Unseen>;

/** meta.json of a terminal's folder. */
export const TerminalMeta = z.object({
  version: z.literal(1),
  id: TerminalId,
  /** The shell's name (bash, zsh, …) or the program's. */
  shell: z.string(),
  argv: z.array(z.string()),
  cwd: z.string(),
  cols: z.int(),
  rows: z.int(),
  createdMs: z.number(),
  title: z._default(z.string(), ''),
  /** A name the person gave the tab. */
  name: z.optional(z.string()),
  /** True if the person hides it from clients; otherwise absent. */
  hidden: z.optional(z.literal(true)),
  /** Made by `hansard import` or `hansard record`, outside of tabs: read-only, never with a shell. */
  origin: z.optional(z.enum(['import', 'record'])),
  /** `agent:` and the MCP client that opened it. */
  openedBy: z.optional(z.string()),
  /** `owner` of that client. It may close the terminal. */
  owner: z.optional(z.string()),
  /** The conversation that is not offered to continue here, because it was continued or dismissed. */
  dismissedChat: z.optional(z.string()),
  /** Marks are worth less than the rest of the file, so unreadable ones are left out. */
  unseen: z.catch(z.optional(Unseen), undefined),
  /** Offset in output.raw up to which `unseen` has what happened: a next core may read output before it once more. */
  unseenTo: z.catch(z.optional(z.int()), undefined),
  closedMs: z.optional(z.number()),
  exitCode: z.optional(z.int()),
  signal: z.optional(z.string()),
});
export type TerminalMeta = z.infer<typeof TerminalMeta>;

/** The person's settings of a terminal; absent ones stay unchanged. */
export interface TerminalWords {
  name?: string | null;
  isHidden?: boolean;
}

/** A terminal as its tab shows it. */
export interface TerminalView extends Unseen {
  id: TerminalId;
  shell: string;
  /** As in meta.json: a recording without a shell. */
  origin?: 'import' | 'record';
  /** Name given by the person, or null. */
  name: string | null;
  /** The person hides it from clients (the policy may hide others). */
  isHidden?: true;
  /** `agent:` and the MCP client that opened it. */
  openedBy?: string;
  /** Title set by the program, or ''. */
  title: string;
  cwd: string;
  gitBranch: string | null;
  cols: number;
  rows: number;
  createdMs: number;
  state: 'live' | 'exited';
  exitCode: number | null;
  signal: string | null;
  quality: Quality;
  /** At a trusted prompt without a running command. */
  atPrompt: boolean;
  runningBlockId: string | null;
  /** The program that has taken the terminal out of line mode and gets the keys: its name and the first words of its command line. */
  keyTaker: { name: string; words: readonly string[] } | null;
  /** Exit code of this shell's last command, if known. */
  lastExitCode: number | null;
  altScreen: boolean;
  /** Why the record cannot be written; null if it can. */
  recordFault: string | null;
  /** The coding agent that runs in it. */
  agent: AgentStatus | null;
  progress: { state: 'normal' | 'error' | 'indeterminate' | 'paused'; percent: number | null } | null;
}

/** Item of `terminal.stream`, in order. `offset` counts bytes of output.raw. */
export type StreamItem =
  /** The complete state for a viewer, which must reset before writing it. `data` is escape sequences for a fresh emulator of this size. */
  | ({
      type: 'state';
      offset: number;
      cols: number;
      rows: number;
      data: string;
      runningBlockId: string | null;
    } & StateLines)
  /** Replaces the first state on request: base64 of the end of the output before `offset`, safe to show unchanged. */
  | { type: 'replay'; offset: number; cols: number; rows: number; data: string }
  /** `data` is base64 of the bytes from `offset` on. */
  | { type: 'bytes'; offset: number; data: string }
  /** The parser has passed a boundary at `offset`; placed between the bytes. */
  | { type: 'mark'; offset: number; kind: 'begin' | 'end' | 'prompt'; blockId: string | null }
  | { type: 'resize'; cols: number; rows: number }
  | { type: 'exit'; exitCode: number | null; signal: string | null };
export type StreamMark = Extract<StreamItem, { type: 'mark' }>;
