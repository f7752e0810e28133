import { z } from 'zod';
import type { ChatMessage } from './chat/chat.ts';
import { OnMachine } from './machines.ts';

/** The result of an import of agent logs so far, or what an import would do. */
export interface PastImportReport {
  /** Number of logs with new content. */
  readonly files: number;
  /** Number of all logs. */
  readonly allFiles: number;
  /** Bytes read so far, and all bytes to read. */
  readonly bytes: number;
  readonly allBytes: number;
  /** Number of new conversations. */
  readonly conversations: number;
  /** Number of messages that were added or completed. */
  readonly messages: number;
  /** Number of copies of messages, which an agent makes when it forks a conversation. */
  readonly copies: number;
  /** Number of lines that could not be read. */
  readonly badLines: number;
  /** Files that could not be read: `path: reason`. */
  readonly unread: readonly string[];
  readonly ms: number;
  /** Totals for each agent, filled at the end. */
  readonly agents: readonly {
    readonly agent: string;
    readonly conversations: number;
    readonly messages: number;
    /** Number of conversations whose messages are all in the record of terminals. */
    readonly recorded: number;
  }[];
}

/** The state of the import of agent logs. */
export interface PastStatus {
  /** Conversations that were found and can be offered to the person. */
  readonly offer: {
    readonly conversations: number;
    readonly bytes: number;
    /** Names of the agents for people. */
    readonly agents: readonly string[];
  } | null;
  /** The running import. */
  readonly running: PastImportReport | null;
  /** The last import since the core started. */
  readonly last: PastImportReport | null;
  /** Why the last import failed, for people. */
  readonly error: string | null;
}

/** Tokens, cost and time from agent logs. Null: no log has the figure. A sum covers the logs that have it. */
export interface UsageSum {
  /** Tokens that were not read from a cache. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  /** US dollars. */
  readonly cost: number | null;
  /** Working time of the agent in ms. */
  readonly busyMs: number | null;
}

/** A row of History: a conversation that a terminal recorded, or the messages of an agent log that no terminal recorded. */
export interface PastRow {
  /** Unique among rows: `terminalId/conversationId`. */
  readonly key: string;
  /** Id of the terminal, or `PAST_ID` if no terminal recorded it. */
  readonly terminalId: string;
  readonly conversationId: string;
  /** Name of the agent's extractor. */
  readonly agent: string;
  readonly label: string;
  readonly version: string | null;
  /** False for a version without a tested recording. */
  readonly isVersionChecked: boolean;
  /** Title; '' if there is no prompt. */
  readonly title: string;
  readonly cwd: string | null;
  readonly startedMs: number;
  readonly updatedMs: number;
  readonly messages: number;
  readonly origin: 'recorded' | 'log';
  /** True if both the record and the agent log have messages of the conversation. Another row then has the rest. */
  readonly isInBoth: boolean;
  /** Null if no agent log has any figure. */
  readonly usage: UsageSum | null;
  /** The command line that continues it; null if there is no command. */
  readonly command: string | null;
  /** A line with a match of the search. */
  readonly snippet: string | null;
}

export const PastQuery = OnMachine.extend({
  /** Only conversations of this machine; otherwise those of all connected machines, unless `machine` names one. */
  isHere: z.boolean().default(false),
  /** Words of a search; '' for all conversations. */
  text: z.string().max(1000).default(''),
  agent: z.string().max(64).optional(),
  /** A folder. It selects conversations in it and below it. */
  cwd: z.string().max(4096).optional(),
  sinceMs: z.number().optional(),
  untilMs: z.number().optional(),
  limit: z.number().int().min(1).max(200).default(50),
  /** `next` of the previous page. */
  cursor: z.string().max(300).optional(),
});
export type PastQuery = z.infer<typeof PastQuery>;

/** Newest first. */
export interface PastPage {
  readonly rows: readonly PastRow[];
  readonly next: string | null;
  /** Only on the first page without a text: all agents and folders with their numbers of conversations, largest first. */
  readonly facets: {
    readonly agents: readonly { readonly agent: string; readonly label: string; readonly count: number }[];
    readonly folders: readonly { readonly cwd: string; readonly count: number }[];
  } | null;
  /** Names of the machines that were asked and did not answer. */
  readonly silent?: readonly string[];
}

/** Messages of a conversation, in order. `next` requests the following ones. */
export interface PastMessages {
  readonly messages: readonly ChatMessage[];
  readonly next: number | null;
}

/** Usage of one group of conversations. */
export interface UsageGroup extends UsageSum {
  /** A conversation's key, an agent's name, a folder, or a day (`2026-01-31`, of this machine's time zone). */
  readonly name: string;
  /** Label for people. */
  readonly label: string;
  readonly conversations: number;
  /** Numbers of conversations whose log has tokens, cost, or time. */
  readonly known: { readonly tokens: number; readonly cost: number; readonly time: number };
}

export interface UsageReport {
  readonly by: 'conversation' | 'agent' | 'project' | 'day';
  /** Ordered by tokens, largest first; days newest first. */
  readonly groups: readonly UsageGroup[];
  readonly total: UsageGroup;
}
