import { z } from 'zod';
import type { BlockStatus } from './block.ts';
import type { ChatKind } from './chat/chat.ts';
import { TerminalId } from './ids.ts';

export const SearchPlace = z.enum(['cmd', 'output', 'chat']);
export type SearchPlace = z.infer<typeof SearchPlace>;

/**
 * How a query is read. `words`: every word (and "phrase") occurs in the block or message, whatever its case and accents, and the last
 * word may go on. `exact`: the text as it stands, in one line; its case counts when it has capitals. `regex`: an expression for one line.
 */
export const SearchMode = z.enum(['words', 'exact', 'regex']);
export type SearchMode = z.infer<typeof SearchMode>;

export const MAX_SEARCH_LIMIT = 500;

export const SearchQuery = z.object({
  query: z.string().max(1000),
  mode: SearchMode.default('words'),
  in: z.array(SearchPlace).min(1).default(['cmd', 'output', 'chat']),
  terminalId: z.optional(TerminalId),
  /** Terminals that are not looked at: not even how long that takes, or where a page ends, says anything of them. */
  without: z.array(TerminalId).optional(),
  /** A folder: blocks that ran in it or below. Messages have none, so they are left out. */
  cwd: z.string().max(4096).optional(),
  sinceMs: z.number().optional(),
  untilMs: z.number().optional(),
  /** Of blocks; messages are left out. `failed` is any code but 0. */
  exit: z.union([z.number().int(), z.enum(['ok', 'failed'])]).optional(),
  /** How many blocks and messages. */
  limit: z.number().int().min(1).max(MAX_SEARCH_LIMIT).default(20),
  /** Of RegExp, for an expression; otherwise its case counts when it has capitals. */
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .optional(),
  /**
   * What is a secret by its form is no part of what is searched or told of blocks, so that nobody can guess it piece by piece by what is
   * found.
   */
  withoutSecrets: z.boolean().optional(),
  /** How long the search may read; `next` asks for the rest. */
  budgetMs: z.number().min(0).optional(),
  /** `next` of the page before. */
  cursor: z.string().max(300).optional(),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** UTF-16 columns of a match. */
export interface SearchSpan {
  readonly start: number;
  readonly end: number;
}

/** A line with matches, cut around the first of them where it is long. */
export interface SearchLine {
  /** Line of the block's output or of the message, from 0. */
  readonly n: number;
  readonly text: string;
  /** Column of the line at which `text` begins. */
  readonly column: number;
  /** Within `text`. */
  readonly spans: readonly SearchSpan[];
}

interface Found {
  readonly terminalId: string;
  /** Of the block or message. */
  readonly id: string;
  readonly atMs: number;
  /** The lines that tell most, at most 3, top to bottom; none where only the command matches. */
  readonly lines: readonly SearchLine[];
  /** More lines match. */
  readonly hasMore: boolean;
}

export interface BlockHit extends Found {
  readonly type: 'block';
  readonly cmd: string | null;
  /** Matches in the command's text. */
  readonly cmdSpans: readonly SearchSpan[];
  readonly cwd: string | null;
  readonly exitCode: number | null;
  readonly status: BlockStatus;
}

export interface MessageHit extends Found {
  readonly type: 'message';
  readonly conversationId: string;
  readonly kind: ChatKind;
  /** Of a tool's call or result. */
  readonly tool: string | null;
}

export type SearchHit = BlockHit | MessageHit;

/** Blocks and messages in sight of the index. `seen` equals `all` when nothing is missing. In bytes of the files that list them. */
export interface IndexProgress {
  readonly seen: number;
  readonly all: number;
}

/** What a search by reading has read. */
export interface Scanned {
  readonly blocks: number;
  readonly bytes: number;
  /** Secrets that it passed over, whatever was looked for. */
  readonly redactions: number;
}

/** A block that was found nothing in because it was not looked at, or not at these lines (from 0). */
export interface NotSearched {
  readonly terminalId: string;
  readonly id: string;
  readonly lines?: readonly number[];
}

/** The last thing a search says. */
export interface SearchEnd {
  readonly type: 'end';
  /** `index`: looked up. `files`: every file was read. */
  readonly by: 'index' | 'files';
  /** How many blocks and messages match; null when nobody counted. */
  readonly total: number | null;
  /** There are more than `total`. */
  readonly isTotalCapped: boolean;
  /** Asks for what follows; null at the end. */
  readonly next: string | null;
  /** The index is being built: what it has not seen yet is not found. Null when it is whole. */
  readonly indexing: IndexProgress | null;
  /** The index rests, as the disk is nearly full: every file was read, which finds everything and takes longer. */
  readonly isResting: boolean;
  /** Very long blocks of which the index has only the start and end, and which are not read yet: `next` asks for them. */
  readonly leftOut: number;
  /** What `next` skips: blocks of which each takes longer than a search may take, and lines that are too long to be held. */
  readonly notSearched: readonly NotSearched[];
  /** Of a search that read the files. */
  readonly scanned?: Scanned;
  /** Files that the search could not read, or not to their end. */
  readonly unread: readonly { readonly path: string; readonly reason: string }[];
  /** Why the search stopped early, for people. */
  readonly error: string | null;
}

export interface SearchHits {
  readonly type: 'hits';
  readonly hits: readonly SearchHit[];
  /**
   * Titles of the terminals of these hits: set by the person, by their programs, or by their folder. By id. Imported conversations: by
   * `PAST_ID/conversationId`.
   */
  readonly titles: Readonly<Record<string, string>>;
}

/**
 * `search.find` yields hits as it finds them, newest first, then one end. Hits from the index come first; then the search reads the middle of
 * very long outputs, which the index lacks. Hits are sorted by time, not by relevance, even when a command equals the query: in a terminal
 * people look for recent work, and a list in time order grows page by page without moving the hits above.
 */
export type SearchEvent = SearchHits | SearchEnd;
