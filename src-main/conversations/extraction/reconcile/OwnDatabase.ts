import type { SubAgent } from '../../../contract/chat/progress.ts';
import type { Fields } from './jsonFields.ts';
import type { LogMessage, LogRun, LogTalk } from './LogMessage.ts';

/** Runs a query on an agent's database and returns the rows. */
export type Query = (sql: string, ...values: readonly (string | number)[]) => Fields[];

/** How to read the database in which an agent keeps its conversations. */
export interface OwnDatabase {
  /** Name of the extractor. */
  readonly agent: string;
  /** Environment variables that change the path. */
  readonly envNames: readonly string[];
  path(run: LogRun): string;
  /** The folder's sessions that changed since `sinceMs`, with the prompts since then. */
  sessions(query: Query, of: { cwd: string; sinceMs: number }): { id: string; prompts: readonly LogMessage[] }[];
  /** Opens a session for reads that keep what earlier ones have found. */
  open(sessionId: string): OwnSession;
}

export interface OwnSession {
  /**
   * `subAgents`: all of the session, also those of its sub-agents, in the order of their start. `talk`: prompts, answers and usage since `sinceMs`.
   */
  read(query: Query, sinceMs: number): { subAgents: readonly SubAgent[]; talk: LogTalk };
}
