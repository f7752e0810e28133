import type { PastFile } from '../store/past/PastFile.ts';
import { describeConversation } from './ConversationWriter.ts';

/** Prefix of ids that are set aside. No agent uses it. */
const ASIDE = 'kept/';
const BARE = ASIDE.length + 1;

/** Sets everything aside that was imported from a source, so that the source is read again from its start. The caller opens the transaction. */
export function setAside(file: PastFile, source: number): void {
  file.run(`UPDATE messages SET id = '${ASIDE}' || id, uid = '${ASIDE}' || uid WHERE source = ?`, source);
  file.run(`UPDATE usage SET id = '${ASIDE}' || id WHERE source = ?`, source);
  file.run(`UPDATE sources SET offset = 0, mark = '', state = ? WHERE num = ?`, '{"hasAside":true}', source);
}

/**
 * Decides about what was set aside, when the source has been read. If the source is empty, or still has one of those texts, its agent shortened it, and what it
 * has no more stays. Otherwise another log took its place, and nothing of the earlier one stays. The caller opens the transaction.
 * Returns how many conversations there are more.
 */
export function settleAside(file: PastFile, source: number): number {
  const aside = `source = ? AND id LIKE '${ASIDE}%'`;
  const rows = file.all<AsideRow>(`SELECT num, conversation, id, uid, tool FROM messages WHERE ${aside}`, source);
  if (isShortened(file, source)) {
    for (const row of rows) restore(file, row);
    file.run(`UPDATE OR IGNORE usage SET id = substr(id, ${BARE}) WHERE ${aside}`, source);
  } else file.run(`DELETE FROM messages WHERE ${aside}`, source);
  file.run(`DELETE FROM usage WHERE ${aside}`, source);
  let conversations = 0;
  for (const num of new Set(rows.map(({ conversation }) => conversation)))
    conversations += describeConversation(file, num);
  return conversations;
}

interface AsideRow {
  num: number;
  conversation: number;
  id: string;
  uid: string | null;
  tool: string | null;
}

/** Keeps the position of a message that was read again, and the longer tool data: the log may now end before the tool's result. */
function restore(file: PastFile, row: AsideRow): void {
  const uid = row.uid?.slice(ASIDE.length) ?? null;
  const id = row.id.slice(ASIDE.length);
  const read =
    uid === null
      ? file.get<ReadRow>(`${READ} conversation = ? AND id = ?`, row.conversation, id)
      : file.get<ReadRow>(`${READ} uid = ?`, uid);
  if (read && read.conversation !== row.conversation) {
    file.run('DELETE FROM messages WHERE num = ?', row.num); // a fork contains it now
    return;
  }
  if (read) {
    file.run('DELETE FROM messages WHERE num = ?', read.num);
    const tool = (row.tool?.length ?? 0) > (read.tool?.length ?? 0) ? row.tool : read.tool;
    file.run('UPDATE messages SET text = ?, tool = ? WHERE num = ?', read.text, tool, row.num);
  }
  file.run('UPDATE messages SET uid = ? WHERE num = ?', uid, row.num);
  // keeps its prefixed id if the log now uses the id for another message
  file.run('UPDATE OR IGNORE messages SET id = ? WHERE num = ?', id, row.num);
}

interface ReadRow {
  num: number;
  conversation: number;
  text: string;
  tool: string | null;
}

const READ = 'SELECT num, conversation, text, tool FROM messages WHERE';

function isShortened(file: PastFile, source: number): boolean {
  const read = `source = ? AND id NOT LIKE '${ASIDE}%'`;
  if (!file.get(`SELECT 1 FROM messages WHERE ${read} LIMIT 1`, source)) return true;
  const same = file.get(
    `SELECT 1 FROM messages k CROSS JOIN messages n ON n.uid = substr(k.uid, ${BARE})
     WHERE k.source = ? AND k.id LIKE '${ASIDE}%' AND n.source = k.source AND n.text = k.text AND n.text != '' LIMIT 1`,
    source,
  );
  return same !== undefined;
}
