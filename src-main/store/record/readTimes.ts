import { open } from 'node:fs/promises';
import { openRecordFile, type RecordSource } from '../files/openRecordFile.ts';
import { readLinesBackward } from '../files/readBackward.ts';

/** The bytes of output.raw from `offset` to the next entry's offset came at `atMs`. */
export interface TimeAt {
  offset: number;
  atMs: number;
}

const PIECE_BYTES = 64 * 1024;
/** More than two lines, so that it contains a whole line between two LFs. */
const PROBE_BYTES = 128;
const LINE = /^(\d{1,16}) (\d{1,16})$/;

/** Parses a line of output.times; null if it is not one (a hole of a full disk, or damage). */
export function parseTime(line: string): TimeAt | null {
  const found = LINE.exec(line);
  return found ? { offset: Number(found[1]), atMs: Number(found[2]) } : null;
}

/**
 * Yields the times of the bytes from `from` on, offsets ascending; the first one may be before `from`. Times never decrease: after
 * the clock was set back, they continue from the latest. Empty for a terminal recorded without times.
 */
export async function* readTimes(path: string, from = 0): AsyncGenerator<TimeAt> {
  const file = await openRecordFile(path);
  if (!file) return;
  try {
    yield* forward(linesFrom(file, await seek(file, from)), from);
  } finally {
    await file.close();
  }
}

async function* forward(lines: AsyncGenerator<string>, from: number): AsyncGenerator<TimeAt> {
  let before: TimeAt | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;
  let shiftMs = 0;
  for await (const line of lines) {
    const time = parseTime(line);
    if (!time || (before && time.offset <= before.offset)) continue;
    if (time.atMs + shiftMs < lastMs) shiftMs = lastMs - time.atMs;
    lastMs = time.atMs + shiftMs;
    if (before && time.offset > from) yield before;
    before = { offset: time.offset, atMs: lastMs };
  }
  if (before) yield before;
}

/** Finds the offset of a line that is not after the one that applies to `offset`. */
async function seek(file: RecordSource, offset: number): Promise<number> {
  let low = 0;
  let high = await file.size();
  while (high - low > PIECE_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const text = (await file.read(middle, PROBE_BYTES)).toString('latin1');
    const start = text.indexOf('\n') + 1;
    const time = start > 0 ? parseTime(text.slice(start, text.indexOf('\n', start))) : null;
    if (time && time.offset <= offset) low = middle + start;
    else high = middle; // in a hole too: an earlier start is correct, only slower
  }
  return low;
}

async function* linesFrom(file: RecordSource, start: number): AsyncGenerator<string> {
  let rest = '';
  for (let at = start; ; ) {
    const piece = await file.read(at, PIECE_BYTES);
    if (piece.length === 0) return; // the last line has no LF: it is torn, or still being written
    at += piece.length;
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = (lines.pop() ?? '').slice(0, PIECE_BYTES); // a hole may be long, and is no valid line
    yield* lines;
  }
}

/**
 * Cuts the times of bytes that never reached output.raw from the end, so that offsets only grow when recording continues.
 * Returns the number of bytes cut. Rejects with errors of the disk.
 */
export async function cutLateTimes(path: string, rawSize: number): Promise<number> {
  let keptBytes = 0;
  let size = 0;
  for await (const { line, at } of readLinesBackward(path)) {
    const end = at + (line?.length ?? 0) + 1;
    size = Math.max(size, end);
    const time = line && parseTime(line.toString('latin1'));
    if (!time || time.offset >= rawSize) continue;
    keptBytes = end;
    break;
  }
  if (keptBytes === size) return 0;
  const file = await open(path, 'r+');
  await file.truncate(keptBytes).finally(() => file.close());
  return size - keptBytes;
}
