import type { Block } from './block.ts';
import type { PaneTree } from './panes.ts';
import type { ProjectLook } from './project.ts';
import type { TerminalView } from './terminal.ts';

/** What `terminal.onChange` yields: everything first, then what changes. */
export type TerminalChange =
  | { type: 'all'; terminals: TerminalView[] }
  | { type: 'changed'; terminal: TerminalView }
  | { type: 'removed'; id: string };

/** What `block.onChange` yields. */
export type BlockChange =
  | { type: 'open' | 'change' | 'close'; block: Block }
  /** Live counters of the running block, at most four a second. */
  | { type: 'output'; blockId: string; outputBytes: number; outputLines: number }
  | { type: 'divider'; divider: Divider };

/** A line between cards: something happened to the terminal, not to a command. */
export interface Divider {
  kind: 'cleared' | 'restored' | 'gap' | 'exited';
  /** Stands after the block with this seq; 0 = before the first. */
  afterSeq: number;
  atMs: number;
  text: string;
}

export type CloseVerdict = { closed: true } | { closed: false; running: string[] };

/** What the person is asked before a paste that may do more than it seems to. */
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
  /** The block that ran then, null at a prompt. The line goes to that block's program and to no other. */
  readonly running: string | null;
  /** The person has seen the question about a paste of this text. */
  readonly confirmed?: boolean | undefined;
}

/** `busy`: something runs that the line was not written for. `confirm`: as for a paste. */
export type SubmitVerdict =
  | { ok: true }
  | { ok: false; reason: 'exited' | 'busy' | 'empty' | 'too-long' }
  | ({ ok: false } & PasteQuestion);

/** `not-nested`: the shell that asked for it has gone, or a program of its has the terminal. `no-hook`: it cannot be reached. */
export type JoinVerdict = { ok: true } | { ok: false; reason: 'not-nested' | 'no-hook' };

/** `terminalId`: the tab in which the editor runs, null for one with a window of its own. */
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
  /** By terminal: whether the person opened or closed the conversation beside it. Absent: as the settings say. */
  chats: Record<string, boolean>;
  /** Tabs of several panes. A terminal that is not in any of them has its own tab. */
  panes: PaneTree[];
  /** By root, what the person chose for a project. */
  projects: Record<string, ProjectLook>;
  /** Of the window that asks: the terminals that it has to itself; null or absent for one that shows all that are in no other window. */
  tabs?: string[] | null;
  /** Roots in the person's order; others come after, in the order of their tabs. */
  projectOrder: string[];
}

export interface ShellChoice {
  path: string;
  name: string;
  integration: boolean;
}

/** An installed agent, and the command line with which a person starts it. */
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
  /** Another at each start of the core: a machine that is this one is known by it. */
  coreId: string;
  frontend: 'web' | 'electron' | 'cli' | 'machine';
}

/** Of an asciicast that is handed over: `start` first, `end` last; whoever has not seen the last has not got all of it. */
export type CastPiece = { type: 'start' } | { type: 'text'; text: string } | { type: 'end' };

/** A terminal that is in no tab. */
export interface RecordedTerminal {
  id: string;
  name: string | null;
  shell: string;
  cwd: string;
  createdMs: number;
  usedMs: number;
  /** Null for one that was a tab. */
  origin: 'import' | 'record' | null;
}
