import { z } from 'zod';
import type { BlockStatus } from './block.ts';
import type { ChatKind } from './chat/chat.ts';
import { TerminalId } from './ids.ts';

export const SearchPlace = z.enum(['cmd', 'output', 'chat']);
export type SearchPlace = z.infer<typeof SearchPlace>;

/**
 * How to read a query. `words`: every word (and "phrase") occurs in the block or message, regardless of case and accents; the last
 * word may be incomplete. `exact`: the literal text, in one line; case counts if it has capitals. `regex`: an expression for one line.
 */
export const SearchMode = z.enum(['words', 'exact', 'regex']);
export type SearchMode = z.infer<typeof SearchMode>;

export const MAX_SEARCH_LIMIT = 500;

export const SearchQuery = z.object({
  query: z.string().max(1000),
  mode: SearchMode.default('words'),
  in: z.array(SearchPlace).min(1).default(['cmd', 'output', 'chat']),
  terminalId: z.optional(TerminalId),
  /** Terminals to exclude: not even the duration of a search, or the end of a page, reveals anything about them. */
  without: z.array(TerminalId).optional(),
  /** A folder: only blocks that ran in it or below. Excludes messages, which have no folder. */
  cwd: z.string().max(4096).optional(),
  sinceMs: z.number().optional(),
  untilMs: z.number().optional(),
  /** Exit code of blocks; excludes messages. `failed` is any code but 0. */
  exit: z.union([z.number().int(), z.enum(['ok', 'failed'])]).optional(),
  /** Number of blocks and messages. */
  limit: z.number().int().min(1).max(MAX_SEARCH_LIMIT).default(20),
  /** Flags of RegExp, for an expression; without them, case counts if the pattern has capitals. */
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .optional(),
  /**
   * Exclude secrets, recognized by their form, from the searched and returned text of blocks, so that no client can guess them
   * piece by piece from matches.
   */
  withoutSecrets: z.boolean().optional(),
  /** Time limit for reading; `next` requests the rest. */
  budgetMs: z.number().min(0).optional(),
  /** `next` of the last page. */
  cursor: z.string().max(300).optional(),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** UTF-16 columns of a match. */
export interface SearchSpan {
  readonly start: number;
  readonly end: number;
}

/** A line with matches; a long one is cut around the first of them. */
export interface SearchLine {
  /** Line of the block's output or of the message, from 0. */
  readonly n: number;
  readonly text: string;
  /** Column of the line at which `text` begins. */
  readonly column: number;
  /** Offsets in `text`. */
  readonly spans: readonly SearchSpan[];
}

interface Found {
  readonly terminalId: string;
  /** Id of the block or message. */
  readonly id: string;
  readonly atMs: number;
  /** The most relevant lines, at most 3, top to bottom; empty if only the command matches. */
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
  /** Only the start and the end of its very long output were searched, so lines between them may match too. */
  readonly isMiddleUnread?: boolean;
}

export interface MessageHit extends Found {
  readonly type: 'message';
  readonly conversationId: string;
  readonly kind: ChatKind;
  /** Name of the tool, for its call or result. */
  readonly tool: string | null;
}

export type SearchHit = BlockHit | MessageHit;

/** Progress of the index, in bytes of the files that list blocks and messages. `seen` equals `all` if nothing is missing. */
export interface IndexProgress {
  readonly seen: number;
  readonly all: number;
}

/** Amount read by a search of the files. */
export interface Scanned {
  readonly blocks: number;
  readonly bytes: number;
  /** Number of secrets skipped, whatever the query. */
  readonly redactions: number;
}

/** A block that was not searched, or not at these lines (from 0). */
export interface NotSearched {
  readonly terminalId: string;
  readonly id: string;
  readonly lines?: readonly number[];
}

/** The last event of a search. */
export interface SearchEnd {
  readonly type: 'end';
  /** `index`: found in the index. `files`: every file was read. */
  readonly by: 'index' | 'files';
  /** Number of matching blocks and messages; null if they were not counted. */
  readonly total: number | null;
  /** More than `total` match. */
  readonly isTotalCapped: boolean;
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
  /** Progress while the index is being built and lacks results; null if it is complete. */
  readonly indexing: IndexProgress | null;
  /** The index is paused because the disk is nearly full: the search read every file, which finds everything but takes longer. */
  readonly isResting: boolean;
  /** Number of very long blocks whose middle is not in the index and not read yet: `next` reads them. */
  readonly leftOut: number;
  /** Blocks and lines that `next` skips: each takes longer than a search may, or is too long for memory. */
  readonly notSearched: readonly NotSearched[];
  /** Only for a search that read the files. */
  readonly scanned?: Scanned;
  /** Files that the search could not read, or not completely. */
  readonly unread: readonly { readonly path: string; readonly reason: string }[];
  /** Why the search stopped early, for people. */
  readonly error: string | null;
}

export interface SearchHits {
  readonly type: 'hits';
  readonly hits: readonly SearchHit[];
  /**
   * Titles of the terminals of these hits, by id: from the person, their programs, or their folder. Imported conversations: by
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
