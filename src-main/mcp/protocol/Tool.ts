import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { McpCaller, Scope } from '../../contract/mcp/mcp.ts';
import type { Machines } from '../../machines/Machines.ts';
import type { AccessControl } from '../access/AccessControl.ts';
import type { ClientAsk, RetryState } from '../elicitation/ClientAsk.ts';
import type { WatchResult } from '../read/WatchService.ts';
import type { McpReadService } from '../server/McpReadService.ts';
import type { McpWriteService } from '../server/McpWriteService.ts';
import type { CreatedTask } from './taskShapes.ts';

/** The tool list that a client asked its bridge for; it grants no rights. Each list includes those before it. */
export const PROFILES = ['observe', 'standard', 'full'] as const;
export type Profile = (typeof PROFILES)[number];

/** The protocol's hints about a tool. All four are always given, because a missing hint counts as dangerous. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool that only reads. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** A tool that waits: two calls may return different results. */
export const WAITS: ToolHints = { ...READS, idempotentHint: false };

/** The parts of the ssh machines that tools need. */
export type OtherMachines = Pick<Machines, 'find' | 'connected' | 'absent' | 'hostName'>;

/** One call in progress. */
export interface ToolCall {
  readonly desk: McpReadService;
  readonly clients: McpWriteService;
  readonly caller: McpCaller;
  /** Machines that ids may name; null for a call that another machine's core passed on, so that no call is passed on twice. */
  readonly machines: OtherMachines | null;
  /** Aborts when the client cancels the call or is gone. */
  readonly signal: AbortSignal;
  /** The person's policy for the caller. */
  readonly authority: AccessControl;
  /** How to ask the client's own person, if the client can; the policy decides whether it may. */
  readonly ask: ClientAsk | null;
  /** The state of a repeated call whose earlier try ended with a question; else null. */
  readonly brought: RetryState | null;
  /** The client has declared with this call that it supports tasks. */
  readonly takesTasks: boolean;
  /** Reports a watch result in the client's session; null for a client without a channel. */
  readonly push: ((noted: WatchResult) => void) | null;
  /** Reports progress to the client; does nothing if the client did not ask for progress. */
  progress(message: string): void;
}

/**
 * Text that came from a terminal and may contain anything: it is redacted, escaped and framed before it is sent. `about` names the terminal, block or
 * frame in the frame.
 */
export interface FromTerminal {
  readonly text: string;
  readonly about: string;
}

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

/**
 * A tool's answer. `facts` are ours: numbers, ids, states. `told` contains short texts from a terminal (titles, commands, folders, previews) at their
 * path in the result; `text` contains long texts by name.
 */
export interface ToolAnswer {
  readonly facts: Readonly<Record<string, unknown>>;
  /** Input numbers that were changed, for a reason other than their caps. */
  readonly effective?: Readonly<Record<string, number>>;
  readonly told?: Readonly<Record<string, unknown>>;
  readonly text?: Readonly<Record<string, FromTerminal>>;
  /**
   * Number of secrets that the tool itself redacted: one that spans several lines or rows is found only while they are together (`redactedLines`).
   */
  readonly redactions?: number;
  readonly links?: readonly ResourceLink[];
  /** Images of a terminal's screen, already redacted. */
  readonly images?: readonly Image[];
}

export interface Image {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** What a call is about: the terminal, if any, and a description in words. */
export interface About {
  readonly terminalId: string | null;
  readonly what: string;
}

/** How to run a listing tool on all connected machines. */
export interface Everywhere<Input> {
  /** The answer's field with the list; null for a call about one thing, which goes to that thing's machine. */
  list(input: Input): string | null;
  readonly timeoutMs: number;
  /** The cursor never ends, so a machine that it does not name was not connected then and starts at its beginning. */
  readonly follows?: boolean;
  /** Sort key across all machines, ascending. */
  rank?(item: Readonly<Record<string, unknown>>): number;
  /** Facts about each machine, from its answer, in addition to its items. */
  about?(facts: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** Returned instead of an answer: the client has to ask its person first, then repeat the call (2026 era). */
export interface InputNeeded {
  readonly needs: InputRequiredResult;
}

/** Returned instead of an answer: work in progress, which the client polls by the task's id (tasks extension, 2026 era). */
export interface TaskBegun {
  readonly task: CreatedTask;
}

/** One tool. A new tool is one file in tools/ and a line in tools/all.ts. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Answer = ToolAnswer | InputNeeded | TaskBegun> {
  readonly name: string;
  /** Older and dotted names that also work but are not listed. */
  readonly aliases: readonly string[];
  readonly title: string;
  /** For the model: when to use it and what it returns, at most 600 characters. */
  readonly description: string;
  readonly hints: ToolHints;
  /** The smallest profile that lists it; null for a tool that is never listed but works. */
  readonly profile: Profile | null;
  readonly scope: Scope;
  /** Replaces `scope` for some of its calls. */
  readonly scopeFor?: (input: z.infer<Input>) => Scope;
  /** Whether the call counts as a wait: at most four per client at once. */
  readonly isWait?: (input: z.infer<Input>) => boolean;
  /** For a tool that may change something: whether this call only reads. By default the hints decide for all calls. */
  readonly isRead?: (input: z.infer<Input>) => boolean;
  /** What a call is about, for the audit log. Must not contain text that may be a password. */
  readonly about: (input: z.infer<Input>) => About;
  readonly input: Input;
  /** For a tool that serves this machine's terminals alone: what to use on a host instead. */
  readonly insteadThere?: string;
  /** For a tool that lists things of all terminals. */
  readonly everywhere?: Everywhere<z.infer<Input>>;
  /** Unlisted aliases of inputs, by the path of the input: names that models guess, and older names. */
  readonly inputAliases?: Readonly<Record<string, string>>;
  /** For a tool that may change something: throws if its target does not exist. The call then counts as refused. */
  readonly admit?: (input: z.infer<Input>, desk: McpReadService) => void;
  run(input: z.infer<Input>, call: ToolCall): Promise<Answer>;
}

/** Keeps the input's type in the tool's definition. */
export function defineTool<Input extends z.ZodObject, Answer extends ToolAnswer | InputNeeded | TaskBegun>(
  tool: Tool<Input, Answer>,
): Tool<z.ZodObject, Answer> {
  return tool as unknown as Tool<z.ZodObject, Answer>;
}
