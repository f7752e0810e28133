import { asFields, asString, parseObject } from '../conversations/extraction/reconcile/jsonFields.ts';
import type { PastFile } from '../store/past/PastFile.ts';
import type { PastSession, WholeLog } from './agents/PastAgent.ts';
import { ConversationWriter, NOTHING, type Written } from './ConversationWriter.ts';
import type { PastSource } from './findSources.ts';
import type { Piece, SourceRow } from './readLineLog.ts';

/** All stamps are written after this many conversations, and at the end. A kill in between reads those again, which changes nothing. */
const STAMPS_AT_ONCE = 200;

export interface WholeRead {
  readonly file: PastFile;
  readonly source: PastSource & { readonly log: WholeLog };
  readonly row: SourceRow;
  readonly keepsText: boolean;
}

/**
 * Reads the changed conversations of a source from their start. The new content of each replaces the earlier content in one transaction. Yields
 * after each conversation. Throws if the source is damaged.
 */
export function* readWholeLog({ file, source, row, keepsText }: WholeRead): Generator<Piece> {
  const opened = source.log.open(source.path);
  try {
    const stamps: Record<string, string> = {};
    let unwritten = 0;
    for (const [id, stamp] of Object.entries(asFields(parseObject(row.state)) ?? {}))
      stamps[id] = asString(stamp) ?? '';
    for (const one of opened.conversations()) {
      if (stamps[one.id] === one.stamp) continue;
      let written: Written = { ...NOTHING };
      const origin = { agent: source.agent.agent, source: row.num, id: one.id, keepsText, atMs: source.mtimeMs };
      const writer = new ConversationWriter(file, { ...origin, isReplaced: true });
      const session = one.read(writer); // throws if the source is damaged, before anything is written
      file.inOne(() => {
        written = replace({ file, row }, writer, { ...session, id: one.id });
        stamps[one.id] = one.stamp;
        unwritten += 1;
        if (unwritten < STAMPS_AT_ONCE) return;
        file.run('UPDATE sources SET state = ? WHERE num = ?', JSON.stringify(stamps), row.num);
        unwritten = 0;
      });
      yield { bytes: 0, badLines: 0, ...written };
    }
    file.run(
      'UPDATE sources SET size = ?, mtime_ms = ?, bad_lines = ?, state = ? WHERE num = ?',
      ...[source.size, source.mtimeMs, opened.badParts, JSON.stringify(stamps), row.num],
    );
    yield { ...NOTHING, bytes: source.size, badLines: Math.max(0, opened.badParts - row.badLines) };
  } finally {
    opened.close();
  }
}

function replace(
  { file, row }: Pick<WholeRead, 'file' | 'row'>,
  writer: ConversationWriter,
  session: PastSession & { readonly id: string },
): Written {
  const known = file.get<{ num: number }>(
    `SELECT c.num FROM conversations c JOIN sources s ON s.agent = c.agent WHERE s.num = ? AND c.session = ?`,
    row.num,
    session.id,
  );
  const before = known ? count(file, known.num, row.num) : 0;
  if (known) {
    file.run('DELETE FROM messages WHERE conversation = ? AND source = ?', known.num, row.num);
    file.run('DELETE FROM usage WHERE conversation = ? AND source = ?', known.num, row.num);
  }
  const written = writer.write(session);
  return {
    conversations: written.conversations + writer.describe(session),
    ...{ messages: Math.max(0, written.messages - before), copies: written.copies },
  };
}

function count(file: PastFile, conversation: number, source: number): number {
  const sql = 'SELECT count(*) AS count FROM messages WHERE conversation = ? AND source = ?';
  return file.get<{ count: number }>(sql, conversation, source)?.count ?? 0;
}
