import type { ChatLine, Conversation } from '../contract/chat/chat.ts';
import { readMetaAsIs } from '../store/files/readAsIs.ts';
import type { SessionFolder } from '../store/record/SessionFolder.ts';
import { type CastMark, type CastSource, exportCast } from './exportCast.ts';

/** Longest label of a prompt. */
const MAX_LABEL_CHARS = 80;

/** The terminal's output of the conversation, from its first byte to its last, as an asciicast of version 2. Null if meta.json cannot be read. */
export async function castOfChat(
  folder: SessionFolder,
  { conversation, lines }: { conversation: Conversation; lines: readonly ChatLine[] },
): Promise<CastSource | null> {
  const meta = await readMetaAsIs(folder);
  if (!meta) return null;
  return exportCast({
    folder,
    meta,
    version: 2,
    title: conversation.title || conversation.label,
    idleLimitS: null,
    marks: turnMarks(lines),
    part: { ...rangeOf(lines), exitCode: null, startedMs: conversation.startedMs },
  });
}

/** A mark for each prompt, except for prompts in history that an agent redrew. */
export function turnMarks(lines: readonly ChatLine[]): CastMark[] {
  return lines.flatMap((line): CastMark[] => {
    if (!('kind' in line) || line.kind !== 'user' || line.replayOf !== undefined) return [];
    const [first = ''] = line.text.trim().split('\n', 1);
    const chars = [...first];
    const label = chars.length > MAX_LABEL_CHARS ? `${chars.slice(0, MAX_LABEL_CHARS - 1).join('')}…` : first;
    return [{ at: line.provenance.rawStart, atMs: line.startedMs, label }];
  });
}

/** From the agent's start to its end; to the end of the record while it runs. */
function rangeOf(lines: readonly ChatLine[]): { rawStart: number; rawEnd: number | null } {
  const starts = lines.map((line) => ('kind' in line ? line.provenance.rawStart : line.at));
  const end = lines.findLast((line) => 'type' in line && (line.type === 'cli:exit' || line.type === 'cli:clear'));
  const rawStart = starts.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return { rawStart: Number.isFinite(rawStart) ? rawStart : 0, rawEnd: end && 'type' in end ? end.at : null };
}
