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
  readonly offer: { readonly conversations: number; readonly bytes: number; readonly agents: readonly string[] } | null;
  /** The import that runs. */
  readonly running: PastImportReport | null;
  /** The last one of this start. */
  readonly last: PastImportReport | null;
  /** Why the last one failed, for people. */
  readonly error: string | null;
}
