import type { ChatLine, Conversation } from '../../contract/chat.ts';
import { exportCast } from '../../session/exportCast.ts';
import { readMetaAsIs } from '../../store/readAsIs.ts';
import { CliError, EXIT } from '../exitCodes.ts';
import { remark } from '../output.ts';
import type { RecordReader } from '../record/RecordReader.ts';

/** What the terminal printed from the conversation's first byte to its last, as an asciicast of version 2. */
export async function castOfChat(
  record: RecordReader,
  { conversation, lines }: { conversation: Conversation; lines: readonly ChatLine[] },
): Promise<AsyncGenerator<string>> {
  const folder = record.folder(conversation.terminalId);
  const meta = await readMetaAsIs(folder);
  if (!meta) throw new CliError(`${folder.meta} cannot be read`, EXIT.ioError);
  const cast = await exportCast({
    folder,
    meta,
    version: 2,
    title: conversation.title || conversation.label,
    idleLimitS: null,
    block: { ...rangeOf(lines), exitCode: null, startedMs: conversation.startedMs },
  });
  if (!cast.hasTimes) remark('this was recorded without times: it appears as a whole.');
  return cast.text;
}

/** From where the agent was started to where it ended; to the end of the record while it runs. */
function rangeOf(lines: readonly ChatLine[]): { rawStart: number; rawEnd: number | null } {
  const starts = lines.map((line) => ('kind' in line ? line.provenance.rawStart : line.at));
  const end = lines.findLast((line) => 'type' in line && (line.type === 'cli:exit' || line.type === 'cli:clear'));
  const rawStart = starts.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return { rawStart: Number.isFinite(rawStart) ? rawStart : 0, rawEnd: end && 'type' in end ? end.at : null };
}
