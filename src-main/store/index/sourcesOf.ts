import { lstatSync } from 'node:fs';
import { PAST_ID } from '../../contract/pastId.ts';
import { pastPath } from '../past/PastFile.ts';
import { SessionFolder } from '../record/SessionFolder.ts';
import type { IndexWriter } from './IndexWriter.ts';
import { PastIndexer } from './PastIndexer.ts';
import { TerminalIndexer } from './TerminalIndexer.ts';

/** Indexes everything of one source: a terminal, or the imported conversations. */
export type SourceIndexer = Pick<TerminalIndexer, 'progress' | 'hasOlder' | 'newer' | 'older' | 'settle'>;

/** Returns the ids of all sources: the terminals, and the imported conversations if there are any. */
export function sourceIds(dataFolder: string): string[] {
  const ids = SessionFolder.list(dataFolder).filter((id) => id !== PAST_ID);
  return lstatSync(pastPath(dataFolder), { throwIfNoEntry: false })?.isFile() ? [...ids, PAST_ID] : ids;
}

export function indexerOf(writer: IndexWriter, dataFolder: string, id: string): SourceIndexer {
  return id === PAST_ID
    ? new PastIndexer(writer, dataFolder)
    : new TerminalIndexer(writer, new SessionFolder(dataFolder, id));
}
