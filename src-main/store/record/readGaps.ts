import { z } from 'zod';
import { parseLine, readLines } from '../files/readJsonLines.ts';
import type { SessionFolder } from './SessionFolder.ts';

/** Bytes [fromOffset, toOffset) of output.raw that could not be written. */
const Gap = z.object({ type: z.literal('gap'), fromOffset: z.number(), toOffset: z.number() });
export type Gap = z.infer<typeof Gap>;

const NAMED = Buffer.from('"gap"');

/** Reads the gaps of a terminal's record, in order. Skips other lines of events.jsonl without parsing them. */
export async function readGaps(folder: SessionFolder): Promise<Gap[]> {
  const gaps: Gap[] = [];
  for await (const { line } of readLines(folder.events)) {
    const gap = line?.includes(NAMED) ? parseLine(line, (json) => Gap.parse(json)) : undefined;
    if (gap) gaps.push(gap);
  }
  return gaps;
}
