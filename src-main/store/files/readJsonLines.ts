import { openRecordFile } from './openRecordFile.ts';

/** Far more than any of our records; a longer line is damage and is not kept in memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const LF = 0x0a;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export interface JsonLinesRead<T> {
  records: T[];
  /** Lines that are not records: not JSON, not UTF-8, refused by `parse`, or over 16 MiB. */
  badLines: number;
  /** The bytes after the last newline (at most 16 MiB), or null if the file ends with one. */
  tornTail: Uint8Array | null;
}

/**
 * Parses a line as a record; undefined if it is not one. Skips leading NULs (a hole before a later record) and a
 * BOM; JSON itself allows CR before LF.
 */
export function parseLine<T>(line: Uint8Array, parse: (json: unknown) => T): T | undefined {
  let from = 0;
  while (line[from] === 0) from += 1;
  try {
    return parse(JSON.parse(strictUtf8.decode(line.subarray(from))));
  } catch {
    return undefined; // damage is expected here: the caller counts it
  }
}

/** True for an empty line: neither a record nor damage. */
export function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x0d || byte === 0x20 || byte === 0x09);
}

/**
 * Yields the lines of a file from its start, without LF, each in its own `Buffer`. A line over 16 MiB is null. The
 * last item has `isTorn` if it did not end with LF. A missing file has no lines.
 */
export async function* readLines(path: string): AsyncGenerator<{ line: Buffer | null; isTorn: boolean }> {
  const file = await openRecordFile(path);
  if (!file) return;
  const pending = new PendingLine();
  try {
    for (let position = 0; ; ) {
      const chunk = await file.read(position, CHUNK_BYTES);
      if (chunk.length === 0) break;
      position += chunk.length;
      let from = 0;
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
        pending.add(chunk.subarray(from, at));
        yield { line: pending.isTooLong ? null : pending.take(), isTorn: false };
        pending.clear();
        from = at + 1;
      }
      pending.add(chunk.subarray(from));
    }
  } finally {
    await file.close();
  }
  if (pending.length > 0) yield { line: pending.take().subarray(0, MAX_LINE_BYTES), isTorn: true };
}

/** The line being read. Keeps only the start of a line that is too long. */
class PendingLine {
  #parts: Buffer[] = [];
  length = 0;

  get isTooLong(): boolean {
    return this.length > MAX_LINE_BYTES;
  }

  add(part: Buffer): void {
    if (!this.isTooLong) this.#parts.push(part);
    this.length += part.length;
  }

  take(): Buffer {
    return Buffer.concat(this.#parts);
  }

  clear(): void {
    this.#parts = [];
    this.length = 0;
  }
}

/**
 * Reads all records of a file, in order. `parse` throws for a value that is not a record, as a zod schema's `parse` does. Uses the memory
 * of the records: damaged lines of any length cost 16 MiB at most. Throws only with errors of the disk; a missing file is empty.
 */
export async function readJsonLines<T>(path: string, parse: (json: unknown) => T): Promise<JsonLinesRead<T>> {
  const read: JsonLinesRead<T> = { records: [], badLines: 0, tornTail: null };
  for await (const { line, isTorn } of readLines(path)) {
    if (isTorn) {
      read.tornTail = line;
      continue;
    }
    const record = line === null ? undefined : parseLine(line, parse);
    if (record !== undefined) read.records.push(record);
    else if (line === null || !isBlank(line)) read.badLines += 1;
  }
  return read;
}
