import * as z from 'zod/mini';
import { Count } from '../../contract/ids.ts';
import { ScreenDelta } from '../../contract/screen/screenRecord.ts';
import { openRecordFile, type RecordSource } from '../files/openRecordFile.ts';
import { readLinesBackward } from '../files/readBackward.ts';
import { isBlank, MAX_LINE_BYTES, parseLine } from '../files/readJsonLines.ts';

const PIECE_BYTES = 256 * 1024;
const LF = 0x0a;

/**
 * First line of a screen.jsonl whose beginning was dropped; a file that was never rolled has none. `base` is the cursor of the line after it.
 * Cursors count the bytes of all lines ever written, so they keep their meaning when the file is rolled.
 */
export const RolledHeader = z.object({ screen_file: z.literal(1), base: Count });

/** Longer than any of our headers. */
const HEADER_BYTES = 256;

export interface ScreenFileStart {
  /** Cursor of the first line. */
  base: number;
  /** Offset of that line in the file. */
  offset: number;
}

type Readable = Pick<RecordSource, 'read'>;

/** Treats a damaged header as an ordinary line, from which cursors then count. */
export async function readStart(file: Readable): Promise<ScreenFileStart> {
  const piece = await file.read(0, HEADER_BYTES);
  const end = piece.indexOf(LF);
  const header = end < 0 ? undefined : parseLine(piece.subarray(0, end), (json) => RolledHeader.parse(json));
  return header ? { base: header.base, offset: end + 1 } : { base: 0, offset: 0 };
}

export interface LineAt {
  /** Without LF; null for a line over 16 MiB. */
  line: Buffer | null;
  /** Offsets of its first byte and of the byte after its LF. */
  at: number;
  end: number;
}

/** Yields the whole lines from offset `from`, which starts a line. Skips a last line without LF: it is torn or still being written. */
export async function* linesFrom(file: Readable, from: number): AsyncGenerator<LineAt> {
  let pending: Buffer[] = [];
  let at = from;
  for (let position = from; ; ) {
    const piece = await file.read(position, PIECE_BYTES);
    if (piece.length === 0) return;
    let start = 0;
    for (let lf = piece.indexOf(LF); lf >= 0; lf = piece.indexOf(LF, start)) {
      const end = position + lf + 1;
      const whole = end - 1 - at > MAX_LINE_BYTES ? null : Buffer.concat([...pending, piece.subarray(start, lf)]);
      yield { line: whole, at, end };
      pending = [];
      at = end;
      start = lf + 1;
    }
    position += piece.length;
    if (position - at <= MAX_LINE_BYTES) pending.push(piece.subarray(start));
    else pending = [];
  }
}

export function parseDelta(line: Uint8Array): ScreenDelta | undefined {
  return parseLine(line, (json) => ScreenDelta.parse(json));
}

/** A page of a terminal's deltas, replayable from any keyframe on. */
export interface DeltaPage {
  /** Cursor of its first delta: the requested one, unless `truncated`. */
  cursor: number;
  /** Cursor of the next page. */
  resumeCursor: number;
  /** Cursor of the oldest line, which is a keyframe. */
  firstCursor: number;
  /** The requested lines no longer exist, or never did: the page begins with the oldest instead. */
  truncated: boolean;
  fileBytes: number;
  deltas: ScreenDelta[];
}

/** Reads at most `limit` deltas from `cursor` on. `'end'` returns no deltas, only the cursor of the next one. */
export async function readDeltas(path: string, cursor: number | 'end', limit: number): Promise<DeltaPage> {
  const file = await openRecordFile(path);
  if (!file) {
    const isGone = cursor !== 'end' && cursor > 0;
    return { cursor: 0, resumeCursor: 0, firstCursor: 0, truncated: isGone, fileBytes: 0, deltas: [] };
  }
  try {
    return await readPage(file, cursor, limit);
  } finally {
    await file.close();
  }
}

async function readPage(file: RecordSource, cursor: number | 'end', limit: number): Promise<DeltaPage> {
  const { base, offset } = await readStart(file);
  const fileBytes = await file.size();
  const wanted = cursor === 'end' ? await endOfLines(file, fileBytes) : cursor - base + offset;
  const isThere = wanted >= offset && wanted <= fileBytes && (await isLineStart(file, wanted));
  const from = isThere ? wanted : offset;
  const deltas: ScreenDelta[] = [];
  let end = from;
  for await (const read of linesFrom(file, from)) {
    end = read.end;
    const delta = read.line === null ? undefined : parseDelta(read.line);
    if (delta) deltas.push(delta);
    if (deltas.length >= limit) break;
  }
  const cursorOf = (place: number): number => base + place - offset;
  return {
    cursor: cursorOf(from),
    resumeCursor: cursorOf(end),
    firstCursor: base,
    truncated: !isThere,
    fileBytes,
    deltas,
  };
}

/** Whether bytes follow the last whole line: the core stopped during a write, or is writing now. */
export async function hasTornEnd(path: string): Promise<boolean> {
  const file = await openRecordFile(path);
  if (!file) return false;
  try {
    const size = await file.size();
    return (await endOfLines(file, size)) < size;
  } finally {
    await file.close();
  }
}

async function isLineStart(file: Readable, at: number): Promise<boolean> {
  return at === 0 || (await file.read(at - 1, 1))[0] === LF;
}

async function endOfLines(file: Readable, size: number): Promise<number> {
  for (let at = size; at > 0; ) {
    const from = Math.max(0, at - PIECE_BYTES);
    const lf = (await file.read(from, at - from)).lastIndexOf(LF);
    if (lf >= 0) return from + lf + 1;
    at = from;
  }
  return 0;
}

/** A moment of a terminal's screen. Without an epoch, `seq` refers to the newest one. */
export type ScreenMoment = 'end' | { atSeq: number; epoch?: string | undefined } | { atMs: number };

/**
 * Returns the deltas that lead to the screen at a moment: a keyframe and all that follow, up to the last one that is not
 * later. Empty if there is none. Reads backward, so that the cost grows with the distance from the end. Ignores lines after damage.
 */
export async function readDeltasTo(path: string, moment: ScreenMoment): Promise<ScreenDelta[]> {
  const way: ScreenDelta[] = [];
  let newestEpoch: string | undefined;
  for await (const { line, at } of readLinesBackward(path)) {
    if (line !== null && isBlank(line)) continue;
    const head = way.length === 0 && line !== null ? headOf(line) : null;
    if (head) newestEpoch ??= head.epoch;
    if (head && !isBy(head, moment, newestEpoch ?? '')) continue;
    const delta = line === null ? undefined : parseDelta(line);
    if (!delta) {
      if (at > 0) way.length = 0; // the later deltas apply to a state that is lost
      continue;
    }
    newestEpoch ??= delta.epoch;
    if (way.length === 0 && !isBy(delta, moment, newestEpoch)) continue;
    way.push(delta);
    if (delta.keyframe) return way.reverse();
  }
  return [];
}

/**
 * Returns the deltas that lead to the screen at `cursor`: a keyframe and all that follow up to there. Empty if there is no
 * keyframe before it, or damage after that keyframe.
 */
export async function readDeltasBefore(path: string, cursor: number): Promise<ScreenDelta[]> {
  const way: ScreenDelta[] = [];
  for await (const { line } of readLinesBackward(path, await placeOf(path, cursor))) {
    if (line !== null && isBlank(line)) continue;
    const delta = line === null ? undefined : parseDelta(line);
    if (!delta) return [];
    way.push(delta);
    if (delta.keyframe) return way.reverse();
  }
  return [];
}

/** Offset in the file of the line at `cursor`. */
async function placeOf(path: string, cursor: number): Promise<number> {
  const file = await openRecordFile(path);
  if (!file) return 0;
  try {
    const { base, offset } = await readStart(file);
    return Math.max(offset, cursor - base + offset);
  } finally {
    await file.close();
  }
}

/** The keys in the writer's order; an epoch is short. */
const HEAD = /^\{"seq":(\d+),"epoch":"([^"\\]{1,64})","ts":(\d+)/;
const HEAD_BYTES = 160;

/** Reads the head of a line without parsing it, because a search far back skips most of the file. Null if the keys are in another order. */
function headOf(line: Buffer): Head | null {
  const [, seq, epoch, ts] = HEAD.exec(line.toString('latin1', 0, HEAD_BYTES)) ?? [];
  return seq === undefined || epoch === undefined ? null : { seq: Number(seq), epoch, ts: Number(ts) };
}

type Head = Pick<ScreenDelta, 'seq' | 'epoch' | 'ts'>;

function isBy(delta: Head, moment: ScreenMoment, newestEpoch: string): boolean {
  if (moment === 'end') return true;
  if ('atMs' in moment) return delta.ts <= moment.atMs;
  return delta.epoch === (moment.epoch ?? newestEpoch) && delta.seq <= moment.atSeq;
}
