import { lstatSync } from 'node:fs';
import { PAST_ID } from '../../contract/pastId.ts';
import { pastPath } from '../past/PastFile.ts';
import { SessionFolder } from '../record/SessionFolder.ts';
import type { IndexWriter } from './IndexWriter.ts';
import { PastIndexer } from './PastIndexer.ts';
import { TerminalIndexer } from './TerminalIndexer.ts';

/** Brings the index up to what one source holds: a terminal, or the conversations that agents kept. */
export type SourceIndexer = Pick<TerminalIndexer, 'progress' | 'hasOlder' | 'newer' | 'older' | 'settle'>;

/** Ids of all that is indexed: the terminals, and the imported conversations where there are some. */
export function sourceIds(dataFolder: string): string[] {
  const ids = SessionFolder.list(dataFolder).filter((id) => id !== PAST_ID);
  return lstatSync(pastPath(dataFolder), { throwIfNoEntry: false })?.isFile() ? [...ids, PAST_ID] : ids;
}

export function indexerOf(writer: IndexWriter, dataFolder: string, id: string): SourceIndexer {
  return id === PAST_ID
    ? new PastIndexer(writer, dataFolder)
    : new TerminalIndexer(writer, new SessionFolder(dataFolder, id));
}
