import type { SubAgent } from '../../../contract/chat/progress.ts';
import type { Fields } from './jsonFields.ts';
import type { LogMessage, LogRun } from './LogMessage.ts';

/** Asks an agent's database; the rows as they are there. */
export type Query = (sql: string, ...values: readonly (string | number)[]) => Fields[];

/** All that is known of the database in which one agent keeps its conversations. */
export interface OwnDatabase {
  /** Name of the extractor. */
  readonly agent: string;
  /** Variables that move the file. */
  readonly envNames: readonly string[];
  path(run: LogRun): string;
  /** The sessions in the folder that changed since then, with what the person asked in them since then. */
  sessions(query: Query, of: { cwd: string; sinceMs: number }): { id: string; prompts: readonly LogMessage[] }[];
  /** All that the session and its sub-agents started, in the order in which they were started. */
  subAgents(query: Query, sessionId: string): readonly SubAgent[];
}
