import type { Block } from './block.ts';
import type { MachineKey } from './machines.ts';
import type { PaneTree } from './panes.ts';
import type { ProjectLook } from './project.ts';
import type { TerminalView } from './terminal.ts';

/**
 * Item of `terminal.onChange`: everything first, then the changes. `unheard`: machines that have not sent their terminals since this core started; those
 * that a window has of them may still be there.
 */
export type TerminalChange =
  | { type: 'all'; terminals: TerminalView[]; unheard?: readonly MachineKey[] }
  | { type: 'changed'; terminal: TerminalView }
  | { type: 'removed'; id: string };

/** Item of `block.onChange`. */
export type BlockChange =
  | { type: 'open' | 'change' | 'close'; block: Block }
  /** Live counters of the running block, at most four a second. */
  | { type: 'output'; blockId: string; outputBytes: number; outputLines: number }
  | { type: 'divider'; divider: Divider };

/** A line between cards, about an event of the terminal rather than a command. */
export interface Divider {
  kind: 'cleared' | 'restored' | 'gap' | 'exited';
  /** Seq of the block before it; 0 = before the first block. */
  afterSeq: number;
  atMs: number;
  text: string;
}

export type CloseVerdict = { closed: true } | { closed: false; running: string[] };

/** The question to the person before a paste that may do more than it seems to. */
export interface PasteQuestion {
  readonly reason: 'confirm';
  readonly lines: number;
  readonly bytes: number;
  readonly hidden: boolean;
  readonly removedControls: boolean;
}

export type PasteVerdict = { pasted: true } | ({ pasted: false } & PasteQuestion) | { pasted: false; reason: 'exited' };

/** What a composer knew when its line was written. */
export interface SubmitAsked {
  /** The block that ran then, null at a prompt. The line goes only to that block's program. */
  readonly running: string | null;
  /** The person has seen the question about a paste of this text. */
  readonly confirmed?: boolean | undefined;
}

/** `busy`: a program runs for which the line was not written. `unfinished`: the shell's line could not be emptied. `confirm`: as for a paste. */
export type SubmitVerdict =
  | { ok: true }
  | { ok: false; reason: 'exited' | 'busy' | 'unfinished' | 'empty' | 'too-long' }
  | ({ ok: false } & PasteQuestion);

/** `not-nested`: the shell that asked for it is gone, or one of its programs has the terminal. `no-hook`: it cannot be reached. */
export type JoinVerdict = { ok: true } | { ok: false; reason: 'not-nested' | 'no-hook' };

/** `terminalId`: the tab in which the editor runs, null for an editor with its own window. */
export type OpenPlaceVerdict = { opened: true; terminalId: string | null } | { opened: false; reason: string };

export type RerunVerdict =
  | { ok: true }
  | { ok: false; reason: 'untrusted' | 'cwd-differs' | 'busy' | 'unknown-text' | 'exited' };

export interface HistoryEntry {
  cmd: string;
  cwd: string | null;
  atMs: number;
  exitCode: number | null;
  terminalId: string;
  blockId: string;
}

export interface FindHit {
  blockId: string;
  /** Line number within the block, from 0. */
  n: number;
  /** UTF-16 columns within the line's text. */
  start: number;
  end: number;
}

export interface Workspace {
  order: string[];
  active: string | null;
  /** Block ids. */
  folded: Record<string, true>;
  /** Per terminal: whether the person opened or closed the conversation beside it. Absent: the settings decide. */
  chats: Record<string, boolean>;
  /** Tabs with several panes. A terminal in none of them has its own tab. */
  panes: PaneTree[];
  /** Per root: the person's choices for a project. */
  projects: Record<string, ProjectLook>;
  /** For the asking window: the terminals that only it shows; null or absent if it shows all that no other window has. */
  tabs?: string[] | null;
  /** Roots in the person's order; others come after, in the order of their tabs. */
  projectOrder: string[];
}

export interface ShellChoice {
  path: string;
  name: string;
  integration: boolean;
}

/** An installed agent, and the command line that starts it. */
export interface AgentChoice {
  name: string;
  label: string;
  command: string;
}

export interface SystemInfo {
  version: string;
  home: string;
  platform: string;
  shells: ShellChoice[];
  defaultShell: string;
  dataFolder: string;
  hostName: string;
  /** Random at each start of the core: a connected machine with the same value is this machine. */
  coreId: string;
  /** The core's wall clock at the answer; missing in a core of an earlier version. */
  nowMs?: number | undefined;
  /** Id of the program's build, by its content; missing if it runs from the sources, or in a core of an earlier version. */
  build?: string | undefined;
  frontend: 'web' | 'electron' | 'cli' | 'machine';
}

/** Piece of a requested asciicast: `start` first, `end` last; without `end` it is incomplete. `lost`: what could not be recorded, for people. */
export type CastPiece = { type: 'start' } | { type: 'text'; text: string } | { type: 'end'; lost?: string };

/** A recorded terminal without a tab. */
export interface RecordedTerminal {
  id: string;
  name: string | null;
  shell: string;
  cwd: string;
  createdMs: number;
  usedMs: number;
  /** Null for a former tab. */
  origin: 'import' | 'record' | null;
}
