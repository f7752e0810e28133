import { PAST_ID } from '../../contract/pastId.ts';
import { recordFileSize } from '../files/openRecordFile.ts';
import { SessionFolder } from '../record/SessionFolder.ts';
import type { IndexFile } from './IndexFile.ts';
import { pastReach } from './PastIndexer.ts';
import { wholeSize } from './sourceLines.ts';

interface Row {
  id: string;
  blocksFrom: number;
  blocksTo: number;
  chatFrom: number;
  chatTo: number;
}

/** Whether the index has everything in the files. A reader without a core must ask, because there may have been no writer since. */
export async function isWhole(dataFolder: string, index: IndexFile): Promise<boolean> {
  const waits = index.get(`SELECT 1 FROM docs WHERE is_open = 1 AND is_message = 1 AND stamp = '' LIMIT 1`);
  if (waits) return false;
  const rows = index.all<Row>(
    `SELECT id, blocks_from AS blocksFrom, blocks_to AS blocksTo, chat_from AS chatFrom, chat_to AS chatTo FROM terminals`,
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const id of SessionFolder.list(dataFolder)) {
    const folder = new SessionFolder(dataFolder, id);
    const { blocksFrom, blocksTo, chatFrom, chatTo } = known.get(id) ?? NOTHING;
    if (blocksFrom > 0 || chatFrom > 0) return false;
    if (!(await endsAt(folder.blocksJsonl, blocksTo)) || !(await endsAt(folder.chatJsonl, chatTo))) return false;
  }
  return (pastReach(dataFolder)?.to ?? 0) === (known.get(PAST_ID)?.chatTo ?? 0);
}

const NOTHING: Omit<Row, 'id'> = { blocksFrom: 0, blocksTo: 0, chatFrom: 0, chatTo: 0 };

/** Ignores a torn line after `end`. */
async function endsAt(path: string, end: number): Promise<boolean> {
  return ((await recordFileSize(path)) ?? 0) === end || (await wholeSize(path)) === end;
}
