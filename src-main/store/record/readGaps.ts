import { z } from 'zod';
import { stampOf } from '../files/openRecordFile.ts';
import { DamagedFile, type ReadFault, readFaultOf } from '../files/readFault.ts';
import { parseLine, readLines } from '../files/readJsonLines.ts';
import { readSmallNow } from '../files/readPiece.ts';
import { streamRaw } from './readRecord.ts';
import type { SessionFolder } from './SessionFolder.ts';

/** Bytes [fromOffset, toOffset) of output.raw that could not be written. */
const Gap = z.object({
  type: z.literal('gap'),
  fromOffset: z.number(),
  toOffset: z.number(),
  atMs: z.number().optional(),
});
export type Gap = z.infer<typeof Gap>;

const NAMED = '"gap"';
/** By the path of events.jsonl, with its state then: each search needs the gaps of all terminals, and each reading those of one. */
const known = new Map<string, { stamp: string; gaps: readonly Gap[] }>();

/** Reads the gaps of a terminal's record, in order. Reads events.jsonl again only when it has changed. */
export async function readGaps({ events }: SessionFolder): Promise<readonly Gap[]> {
  const stamp = stampOf(events);
  const before = known.get(events);
  if (before?.stamp === stamp) return before.gaps;
  const gaps = namesGaps(events) ? await parseGaps(events) : [];
  known.set(events, { stamp, gaps });
  return gaps;
}

/** Reads the file in one call, because going through the lines of thousands of files takes seconds. In doubt true. */
function namesGaps(path: string): boolean {
  try {
    return readSmallNow(path).includes(NAMED);
  } catch {
    return true; // the reading of its lines finds the reason
  }
}

async function parseGaps(path: string): Promise<Gap[]> {
  const named = Buffer.from(NAMED);
  const gaps: Gap[] = [];
  for await (const { line } of readLines(path)) {
    const gap = line?.includes(named) ? parseLine(line, (json) => Gap.parse(json)) : undefined;
    if (gap) gaps.push(gap);
  }
  return gaps;
}

/**
 * What [from, to) of output.raw lacks because it could not be recorded since `sinceMs`, for people; null for nothing. Reports a fault of
 * events.jsonl too: then the gaps are not known. `gaps`: those of the record, if the caller has them.
 */
export async function lossIn(
  folder: SessionFolder,
  { from, to, sinceMs = 0 }: { from: number; to: number; sinceMs?: number },
  gaps?: readonly Gap[],
): Promise<ReadFault | null> {
  let bytes = 0;
  try {
    for (const { fromOffset, toOffset, atMs = sinceMs } of gaps ?? (await readGaps(folder)))
      if (atMs >= sinceMs) bytes += Math.max(0, Math.min(to, toOffset) - Math.max(from, fromOffset));
  } catch (error) {
    const fault = readFaultOf(error, folder.events);
    if (!fault) throw error;
    return fault;
  }
  const count = bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes === 0 ? null : { path: folder.raw, reason: `lacks ${count} of output, which could not be recorded` };
}

/** A range of output.raw. `isEnded`: all its bytes must be on disk. */
interface ShownRange {
  readonly from: number;
  readonly to: number;
  readonly isEnded: boolean;
}

/**
 * Bytes [from, to) of output.raw for readers of text: a line says where bytes could not be recorded, in place of the zero bytes there.
 * Rejects with a DamagedFile at the end if the file is shorter than it must be.
 */
export async function* streamShown(
  folder: SessionFolder,
  { from, to, isEnded }: ShownRange,
  gaps: readonly Gap[],
): AsyncGenerator<Uint8Array> {
  let at = from;
  for await (const piece of streamRaw(folder, from, to)) {
    yield withGapsMarked(piece, at, gaps);
    at += piece.length;
  }
  if (isEnded && at < to)
    throw new DamagedFile(folder.raw, `ends at byte ${at}: the last ${to - at} bytes of this block are not on disk`);
}

/** `bytes`, which begin at offset `from` of output.raw, with a line at the beginning of each gap. The length stays. */
export function withGapsMarked(bytes: Uint8Array, from: number, gaps: readonly Gap[]): Uint8Array {
  const own = gaps.filter(({ fromOffset, toOffset }) => fromOffset < from + bytes.length && toOffset > from);
  if (own.length === 0) return bytes;
  const marked = Uint8Array.from(bytes);
  for (const { fromOffset, toOffset } of own) {
    const line = Buffer.from(`\r\n[${toOffset - fromOffset} bytes of output were not recorded]\r\n`);
    const fitting = line.subarray(Math.max(0, from - fromOffset), toOffset - fromOffset);
    const at = Math.max(0, fromOffset - from);
    marked.set(fitting.subarray(0, marked.length - at), at);
  }
  return marked;
}
