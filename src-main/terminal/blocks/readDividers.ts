import { z } from 'zod';
import type { Divider } from '../../contract/api.ts';
import { parseLine, readLines } from '../../store/files/readJsonLines.ts';
import type { SessionFolder } from '../../store/record/SessionFolder.ts';

const Line = z.object({
  type: z.literal('divider'),
  kind: z.enum(['cleared', 'restored', 'gap', 'exited']),
  ...{ afterSeq: z.number().int().nonnegative(), atMs: z.number(), text: z.string() },
});

const NAMED = Buffer.from('"divider"');

/** Reads the dividers of a terminal's record, in the order of writing. Skips other lines of events.jsonl without parsing them. */
export async function readDividers(folder: SessionFolder): Promise<Divider[]> {
  const dividers: Divider[] = [];
  for await (const { line } of readLines(folder.events)) {
    const read = line?.includes(NAMED) ? parseLine(line, (json) => Line.parse(json)) : undefined;
    if (!read) continue;
    const { type: _, ...divider } = read;
    dividers.push(divider);
  }
  return dividers;
}
