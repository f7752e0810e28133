import { openRecordFile, type RecordSource } from './openRecordFile.ts';
import { MAX_LINE_BYTES } from './readJsonLines.ts';

const CHUNK_BYTES = 64 * 1024;
const LF = 0x0a;

export interface BackwardLine {
  /** Without its LF; null for a line over 16 MiB. */
  line: Buffer | null;
  /** Offset of its first byte. */
  at: number;
}

/**
 * Yields the whole lines of a file from last to first, reading only as far back as the caller needs. Skips bytes after the
 * last LF: they are torn, or still being written. Starts before `endAt` if given (an offset just after an LF).
 * A missing file has no lines.
 */
export async function* readLinesBackward(path: string, endAt?: number): AsyncGenerator<BackwardLine> {
  const file = await openRecordFile(path);
  if (!file) return;
  try {
    const size = await file.size();
    yield* linesBefore(file, Math.min(endAt ?? size, size));
  } finally {
    await file.close();
  }
}

async function* linesBefore(file: RecordSource, endAt: number): AsyncGenerator<BackwardLine> {
  /** Pieces of the line whose LF was found and whose start was not, newest piece first. Undefined before the first LF. */
  let pieces: Buffer[] | undefined;
  let length = 0;
  const take = (first: Buffer): Buffer | null => {
    if (length + first.length > MAX_LINE_BYTES) return null;
    return Buffer.concat([first, ...(pieces ?? []).reverse()]);
  };
  for (let chunkAt = endAt; chunkAt > 0; ) {
    const size = Math.min(CHUNK_BYTES, chunkAt);
    chunkAt -= size;
    const chunk = await file.read(chunkAt, size);
    let end = chunk.length;
    for (let lf = chunk.lastIndexOf(LF); lf >= 0; lf = lf === 0 ? -1 : chunk.lastIndexOf(LF, lf - 1)) {
      if (pieces) yield { line: take(chunk.subarray(lf + 1, end)), at: chunkAt + lf + 1 };
      pieces = [];
      length = 0;
      end = lf;
    }
    if (!pieces) continue;
    length += end;
    if (length <= MAX_LINE_BYTES) pieces.push(Buffer.from(chunk.subarray(0, end)));
    else pieces = [];
  }
  if (pieces) yield { line: take(Buffer.alloc(0)), at: 0 };
}
