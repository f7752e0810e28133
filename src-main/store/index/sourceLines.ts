import { openRecordFile } from '../files/openRecordFile.ts';
import { readLinesBackward } from '../files/readBackward.ts';
import { MAX_LINE_BYTES } from '../files/readJsonLines.ts';

/** A whole line of a `.jsonl` without its LF, and its position. Null if it is over 16 MiB, which is damage. */
export interface SourceLine {
  readonly line: Buffer | null;
  readonly at: number;
  /** Offset after its LF. */
  readonly end: number;
}

/** Bytes read at a time. A block has about 600 bytes, so this is about 400 of them. */
const SLICE_BYTES = 256 * 1024;
/** Enough of the end to recognize a file: a block's line ends with its own offsets and flags, a message's with its provenance. */
const MARK_BYTES = 256;
const LF = 0x0a;

/** Reads whole lines from `from` on, oldest first; empty if no whole line follows. */
export async function linesAfter(path: string, from: number): Promise<SourceLine[]> {
  const file = await openRecordFile(path);
  if (!file) return [];
  try {
    for (let length = SLICE_BYTES; ; length *= 4) {
      const bytes = await file.read(from, length);
      const lines = wholeLines(bytes, from);
      if (lines.length > 0 || bytes.length < length) return lines;
      if (length > MAX_LINE_BYTES) return skipped(await findEnd(file, from), from);
    }
  } finally {
    await file.close();
  }
}

/** Reads whole lines that end at or before `before`, newest first. */
export async function linesBefore(path: string, before: number): Promise<SourceLine[]> {
  const lines: SourceLine[] = [];
  let end = before;
  for await (const { line, at } of readLinesBackward(path, before)) {
    lines.push({ line, at, end });
    end = at;
    if (before - at >= SLICE_BYTES) break;
  }
  return lines;
}

/** Offset after the last LF of the file; 0 if there is none. */
export async function wholeSize(path: string): Promise<number> {
  const file = await openRecordFile(path);
  if (!file) return 0;
  try {
    for (let end = await file.size(); end > 0; ) {
      const from = Math.max(0, end - SLICE_BYTES);
      const lf = (await file.read(from, end - from)).lastIndexOf(LF);
      if (lf >= 0) return from + lf + 1;
      end = from;
    }
    return 0;
  } finally {
    await file.close();
  }
}

/** Identifies the bytes right before `end`, to recognize the same file later. */
export async function markAt(path: string, end: number): Promise<string> {
  if (end === 0) return '';
  const file = await openRecordFile(path);
  if (!file) return '';
  try {
    const from = Math.max(0, end - MARK_BYTES);
    return (await file.read(from, end - from)).toString('base64');
  } finally {
    await file.close();
  }
}

function wholeLines(bytes: Buffer, from: number): SourceLine[] {
  const lines: SourceLine[] = [];
  let start = 0;
  for (let lf = bytes.indexOf(LF); lf >= 0; lf = bytes.indexOf(LF, start)) {
    lines.push({ line: bytes.subarray(start, lf), at: from + start, end: from + lf + 1 });
    start = lf + 1;
  }
  return lines;
}

function skipped(end: number, at: number): SourceLine[] {
  return end > at ? [{ line: null, at, end }] : [];
}

async function findEnd(
  file: { read(position: number, length: number): Promise<Buffer> },
  from: number,
): Promise<number> {
  for (let at = from; ; at += SLICE_BYTES) {
    const bytes = await file.read(at, SLICE_BYTES);
    const lf = bytes.indexOf(LF);
    if (lf >= 0) return at + lf + 1;
    if (bytes.length < SLICE_BYTES) return from;
  }
}
