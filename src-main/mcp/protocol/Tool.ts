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

/** Which listing of tools a client asked its bridge for; authority never comes from it. Each holds those before it. */
export const PROFILES = ['observe', 'standard', 'full'] as const;
export type Profile = (typeof PROFILES)[number];

/** What the protocol lets a server say about a tool; all four are said of each, because what is left out counts as dangerous. */
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
/** One that waits: called twice it may say two things. */
export const WAITS: ToolHints = { ...READS, idempotentHint: false };

/** What tools need to know of the machines that are connected by ssh. */
export type OtherMachines = Pick<Machines, 'find' | 'connected' | 'absent' | 'hostName'>;

/** One call on its way. */
export interface ToolCall {
  readonly desk: McpReadService;
  readonly clients: McpWriteService;
  readonly caller: McpCaller;
  /** Machines that ids may name; null in a call that another machine's core passes on, so that calls never travel on. */
  readonly machines: OtherMachines | null;
  /** The client has cancelled the call, or is gone. */
  readonly signal: AbortSignal;
  /** What the person's policy says of the caller. */
  readonly authority: AccessControl;
  /** How the client's own person can be asked, if the client can; whether they may be is the policy's to say. */
  readonly ask: ClientAsk | null;
  /** Of a call that is made once more because an earlier one ended with a question; else null. */
  readonly brought: RetryState | null;
  /** The client has said with this call that it knows tasks. */
  readonly takesTasks: boolean;
  /** Says in the client's session what a watch has found; null for a client that has no channel. */
  readonly push: ((noted: WatchResult) => void) | null;
  /** Tells the client that it is still being worked on; does nothing for a client that did not ask. */
  progress(message: string): void;
}

/**
 * What came from a terminal and may say anything: it is redacted, made safe and framed on its way out. `about` goes into the frame: which
 * terminal, which block, which frame.
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
 * What a tool gives back. `facts` are ours: numbers, ids, states. `told` holds short texts that came from a terminal (titles, commands,
 * folders, previews) under their place in the result; `text` one long one, under its name.
 */
export interface ToolAnswer {
  readonly facts: Readonly<Record<string, unknown>>;
  /** Numbers of the input that counted as others than were given, for another reason than their caps. */
  readonly effective?: Readonly<Record<string, number>>;
  readonly told?: Readonly<Record<string, unknown>>;
  readonly text?: Readonly<Record<string, FromTerminal>>;
  /** Secrets that the tool itself has taken out: one over several lines or rows is seen only where these stand together (`redactedLines`). */
  readonly redactions?: number;
  readonly links?: readonly ResourceLink[];
  /** Pictures of what a terminal shows; secrets are out of them already. */
  readonly images?: readonly Image[];
}

export interface Image {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** What a call is about: the terminal, where it is one, and the rest in a person's words. */
export interface About {
  readonly terminalId: string | null;
  readonly what: string;
}

/** How a tool that lists is asked on all connected machines. */
export interface Everywhere<Input> {
  /** Field of the answer with the list; null for a call about one thing, which is asked where that is. */
  list(input: Input): string | null;
  readonly timeoutMs: number;
  /** A cursor never ends, so a machine that it does not name was not connected then, and is asked from its start. */
  readonly follows?: boolean;
  /** What comes first among the items of all machines: the lesser number. */
  rank?(item: Readonly<Record<string, unknown>>): number;
  /** What is said of each machine beside its items, from its answer. */
  about?(facts: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** In place of an answer: the client has to ask its person first, and then to call again (2026 era). */
export interface InputNeeded {
  readonly needs: InputRequiredResult;
}

/** In place of an answer: work that goes on, which the client asks for by the task's id (tasks extension, 2026 era). */
export interface TaskBegun {
  readonly task: CreatedTask;
}

/** One tool. A new one is one file in tools/ and a line in tools/all.ts. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Answer = ToolAnswer | InputNeeded | TaskBegun> {
  readonly name: string;
  /** Older and dotted names that it answers to without listing them. */
  readonly aliases: readonly string[];
  readonly title: string;
  /** For the model: when to use it and what comes back, at most 600 characters. */
  readonly description: string;
  readonly hints: ToolHints;
  /** The least profile that lists it; null: it is never listed and answers all the same. */
  readonly profile: Profile | null;
  readonly scope: Scope;
  /** In place of `scope`, for some of its calls. */
  readonly scopeFor?: (input: z.infer<Input>) => Scope;
  /** Counts as a wait: at most four of a client at once. */
  readonly isWait?: (input: z.infer<Input>) => boolean;
  /** Of a tool that may do something: this call only looks. Without it the hints say so for all of its calls. */
  readonly isRead?: (input: z.infer<Input>) => boolean;
  /** What a call is about, for the audit. It names no text that may be a password. */
  readonly about: (input: z.infer<Input>) => About;
  readonly input: Input;
  /** For a tool that serves this machine's terminals alone: what to use on a host instead. */
  readonly insteadThere?: string;
  /** For a tool that lists things of all terminals. */
  readonly everywhere?: Everywhere<z.infer<Input>>;
  /** Unlisted aliases of inputs, by the path of the input: names that models guess, and older names. */
  readonly inputAliases?: Readonly<Record<string, string>>;
  /** Of a tool that may do something: throws where there is nothing for it to be done to. Such a call was not let in. */
  readonly admit?: (input: z.infer<Input>, desk: McpReadService) => void;
  run(input: z.infer<Input>, call: ToolCall): Promise<Answer>;
}

/** Keeps the input's type while the tool is written down. */
export function defineTool<Input extends z.ZodObject, Answer extends ToolAnswer | InputNeeded | TaskBegun>(
  tool: Tool<Input, Answer>,
): Tool<z.ZodObject, Answer> {
  return tool as unknown as Tool<z.ZodObject, Answer>;
}
