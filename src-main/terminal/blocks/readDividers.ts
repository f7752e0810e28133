import { z } from 'zod';
import type { Divider } from '../../contract/api.ts';
import { readLinesBackward } from '../../store/files/readBackward.ts';
import { parseLine } from '../../store/files/readJsonLines.ts';
import type { SessionFolder } from '../../store/record/SessionFolder.ts';

const Line = z.object({
  type: z.literal('divider'),
  kind: z.enum(['cleared', 'restored', 'gap', 'exited']),
  ...{ afterSeq: z.number().int().nonnegative(), atMs: z.number(), text: z.string() },
});

const NAMED = Buffer.from('"divider"');

/**
 * Reads the newest `limit` dividers of a terminal's record, in the order of writing. Reads no further back than it has to, and skips other lines of
 * events.jsonl without parsing them.
 */
export async function readDividers(folder: SessionFolder, limit: number): Promise<Divider[]> {
  const dividers: Divider[] = [];
  for await (const { line } of readLinesBackward(folder.events)) {
    const read = line?.includes(NAMED) ? parseLine(line, (json) => Line.parse(json)) : undefined;
    if (!read) continue;
    const { type: _, ...divider } = read;
    if (dividers.push(divider) === limit) break;
  }
  return dividers.reverse();
}
