import { z } from 'zod';
import type { ChatMessage } from './chat/chat.ts';

/** What an import of agents' own logs has done so far, or would do. */
export interface PastImportReport {
  /** Logs that had something new. */
  readonly files: number;
  /** Logs that there are. */
  readonly allFiles: number;
  /** Bytes read, and those that there are to read. */
  readonly bytes: number;
  readonly allBytes: number;
  /** Conversations that were not there before. */
  readonly conversations: number;
  /** Messages that were added or completed. */
  readonly messages: number;
  /** Copies of messages that another conversation has: an agent copies them when it forks one. */
  readonly copies: number;
  /** Lines that are no record. */
  readonly badLines: number;
  /** Files that could not be read: `path: reason`. */
  readonly unread: readonly string[];
  readonly ms: number;
  /** All that is there now; filled at the end. */
  readonly agents: readonly {
    readonly agent: string;
    readonly conversations: number;
    readonly messages: number;
    /** Conversations of which the terminals' record has every message. */
    readonly recorded: number;
  }[];
}

/** How far the import of agents' own logs is. */
export interface PastStatus {
  /** Conversations that were found, and that nobody was asked about yet. */
  readonly offer: {
    readonly conversations: number;
    readonly bytes: number /** As people call them. */;
    readonly agents: readonly string[];
  } | null;
  /** The import that runs. */
  readonly running: PastImportReport | null;
  /** The last one of this start. */
  readonly last: PastImportReport | null;
  /** Why the last one failed, for people. */
  readonly error: string | null;
}

/** Tokens, money and time as agents' logs say them. Null: no log says it; sums are of those that do. */
export interface UsageSum {
  /** Tokens that were not read from a cache. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  /** US dollars. */
  readonly cost: number | null;
  /** ms that the agent was at work. */
  readonly busyMs: number | null;
}

/** A conversation of History: one that a terminal recorded, or what an agent's own log has beyond that. */
export interface PastRow {
  /** Unique among rows: `terminalId/conversationId`. */
  readonly key: string;
  /** `PAST_ID` where no terminal recorded it. */
  readonly terminalId: string;
  readonly conversationId: string;
  /** Name of the agent's extractor. */
  readonly agent: string;
  readonly label: string;
  readonly version: string | null;
  /** False for a version of which no recording is tested. */
  readonly isVersionChecked: boolean;
  /** '' where nothing was asked. */
  readonly title: string;
  readonly cwd: string | null;
  readonly startedMs: number;
  readonly updatedMs: number;
  readonly messages: number;
  readonly origin: 'recorded' | 'log';
  /** There are messages of the same conversation in the record and in the agent's log: another row has the rest. */
  readonly isInBoth: boolean;
  /** Null where the log of no agent says any. */
  readonly usage: UsageSum | null;
  /** The command line with which it goes on; null where there is none. */
  readonly command: string | null;
  /** A line that has what was searched for. */
  readonly snippet: string | null;
}

export const PastQuery = z.object({
  /** Words, as a search reads them; '' for all. */
  text: z.string().max(1000).default(''),
  agent: z.string().max(64).optional(),
  /** A folder: conversations in it and below. */
  cwd: z.string().max(4096).optional(),
  sinceMs: z.number().optional(),
  untilMs: z.number().optional(),
  limit: z.number().int().min(1).max(200).default(50),
  /** `next` of the page before. */
  cursor: z.string().max(300).optional(),
});
export type PastQuery = z.infer<typeof PastQuery>;

/** Newest first. */
export interface PastPage {
  readonly rows: readonly PastRow[];
  readonly next: string | null;
  /** Of the first page without a text: all agents and folders with their numbers of conversations, the most first. */
  readonly facets: {
    readonly agents: readonly { readonly agent: string; readonly label: string; readonly count: number }[];
    readonly folders: readonly { readonly cwd: string; readonly count: number }[];
  } | null;
}

/** The messages of a conversation, in order; `next` asks for those that follow. */
export interface PastMessages {
  readonly messages: readonly ChatMessage[];
  readonly next: number | null;
}

/** What one group of conversations took. */
export interface UsageGroup extends UsageSum {
  /** A conversation's key, an agent's name, a folder, or a day (`2026-01-31`, of this machine's time zone). */
  readonly name: string;
  /** As people read it. */
  readonly label: string;
  readonly conversations: number;
  /** Conversations whose log says tokens, money, or time. */
  readonly known: { readonly tokens: number; readonly cost: number; readonly time: number };
}

export interface UsageReport {
  readonly by: 'conversation' | 'agent' | 'project' | 'day';
  /** The most tokens first; days newest first. */
  readonly groups: readonly UsageGroup[];
  readonly total: UsageGroup;
}
