import { z } from 'zod';
import type { Block } from '../contract/block.ts';
import type { TerminalMeta } from '../contract/terminal.ts';
import { parseLine, readLines } from '../store/files/readJsonLines.ts';
import { readBlocks } from '../store/record/readBlocks.ts';
import type { TimeAt } from '../store/record/readTimes.ts';
import type { SessionFolder } from '../store/record/SessionFolder.ts';

/** An event between two bytes, besides output. */
export type CastMoment = { at: number; atMs: number } & (
  | { type: 'resize'; cols: number; rows: number }
  | { type: 'marker'; label: string }
  /** The bytes from `at` to `to` are missing in the record. */
  | { type: 'gap'; to: number }
);

export interface CastMoments {
  /** Ordered by `at`. */
  list: CastMoment[];
  /** Size of the screen at the start of the range. */
  size: { cols: number; rows: number };
  /** Exit code of the terminal's last shell, if it exited at the end of the range. */
  exitCode: number | null;
  /** Known times in the range, by offset: for records without times. */
  points: TimeAt[];
}

const At = { at: z.number(), atMs: z.number() };
const Size = { cols: z.number().int(), rows: z.number().int() };
const RecordLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), ...At, cols: Size.cols.optional(), rows: Size.rows.optional() }),
  z.object({ type: z.literal('restored'), ...At, cols: Size.cols.optional(), rows: Size.rows.optional() }),
  z.object({ type: z.literal('resize'), ...At, ...Size }),
  z.object({ type: z.literal('marker'), ...At, label: z.string() }),
  z.object({ type: z.literal('exited'), ...At, exitCode: z.number().int().nullable() }),
  z.object({ type: z.literal('gap'), fromOffset: z.number(), toOffset: z.number(), atMs: z.number() }),
]);
type RecordLine = z.infer<typeof RecordLine>;

/** Reads all events of events.jsonl and blocks.jsonl in the bytes from..to. Blocks that are kept out of the record are not included. */
export async function readMoments(
  folder: SessionFolder,
  range: { from: number; to: number },
  meta: Pick<TerminalMeta, 'cols' | 'rows'>,
): Promise<CastMoments> {
  const { blocks } = await readBlocks(folder, { limit: Number.MAX_SAFE_INTEGER });
  const inRange = ({ at }: { at: number }): boolean => at >= range.from && at <= range.to;
  const moments: CastMoments = { list: [], size: firstSize(blocks, range.from, meta), exitCode: null, points: [] };
  for await (const { line } of readLines(folder.events)) {
    const event = line === null ? undefined : parseLine(line, (json) => RecordLine.parse(json));
    if (event) take(moments, event, range);
  }
  // An imported recording of ours has both: its own markers, and cards of the same commands.
  const told = new Set(moments.list.map((moment) => (moment.type === 'marker' ? `${moment.at} ${moment.label}` : '')));
  for (const { rawStart, rawEnd, startedMs, endedMs, cmd } of blocks) {
    moments.points.push({ offset: rawStart, atMs: startedMs });
    if (rawEnd !== null && endedMs !== null) moments.points.push({ offset: rawEnd, atMs: endedMs });
    if (cmd !== null && !told.has(`${rawStart} ${cmd}`))
      moments.list.push({ type: 'marker', label: cmd, at: rawStart, atMs: startedMs });
  }
  moments.list = moments.list.filter(inRange).sort((a, b) => a.at - b.at);
  moments.points.sort((a, b) => a.offset - b.offset || a.atMs - b.atMs);
  return moments;
}

function take(moments: CastMoments, event: RecordLine, { from, to }: { from: number; to: number }): void {
  if (event.type === 'gap') {
    // a gap that contains the start of the range counts from there
    const at = event.toOffset > from ? Math.max(event.fromOffset, from) : event.fromOffset;
    moments.list.push({ type: 'gap', at, to: event.toOffset, atMs: event.atMs });
    return;
  }
  const { at, atMs } = event;
  moments.points.push({ offset: at, atMs });
  if (event.type === 'marker') moments.list.push({ type: 'marker', label: event.label, at, atMs });
  if (event.type === 'exited') moments.exitCode = at === to ? event.exitCode : null;
  if ((event.type === 'started' || event.type === 'restored') && at === to) moments.exitCode = null;
  if (!('cols' in event) || event.cols === undefined || event.rows === undefined) return;
  const size = { cols: event.cols, rows: event.rows };
  if (at <= from) moments.size = size;
  else if (!isSize(moments.list.findLast(({ type }) => type === 'resize') ?? moments.size, size))
    moments.list.push({ type: 'resize', ...size, at, atMs });
}

function isSize(known: object, { cols, rows }: { cols: number; rows: number }): boolean {
  return 'cols' in known && 'rows' in known && known.cols === cols && known.rows === rows;
}

/** Older records lack their initial size: the first block's columns are the best known value. */
function firstSize(
  blocks: readonly Block[],
  from: number,
  { cols, rows }: { cols: number; rows: number },
): { cols: number; rows: number } {
  const block = blocks.find(({ rawStart }) => rawStart >= from);
  return { cols: block?.cols ?? cols, rows };
}
