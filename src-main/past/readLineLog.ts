import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parseObject } from '../conversations/extraction/reconcile/jsonFields.ts';
import { NOFOLLOW } from '../store/files/Disk.ts';
import { MAX_LINE_BYTES } from '../store/files/readJsonLines.ts';
import type { PastFile } from '../store/past/PastFile.ts';
import type { LineLog, RecordReader } from './agents/PastAgent.ts';
import { ConversationWriter, NOTHING, type Written } from './ConversationWriter.ts';
import type { PastSource } from './findSources.ts';
import { setAside, settleAside } from './setAside.ts';

const CHUNK_BYTES = 1024 * 1024;
/** This many bytes before the offset prove that the file is still the same. */
const MARK_BYTES = 128;
const LF = 0x0a;

/** The position up to which a source was read. */
export interface SourceRow {
  num: number;
  inode: string;
  size: number;
  mtimeMs: number;
  offset: number;
  mark: string;
  state: string;
  badLines: number;
}

/** The result of one piece of a source. */
export interface Piece extends Readonly<Written> {
  readonly bytes: number;
  readonly badLines: number;
}

export interface LineRead {
  readonly file: PastFile;
  readonly source: PastSource & { readonly log: LineLog };
  readonly row: SourceRow;
  readonly keepsText: boolean;
}

/**
 * Reads the new lines of a log, a piece at a time, and writes the content and the position of each piece in one transaction. If a file was replaced or
 * shortened, it is read again from the start (`settleAside`). Yields after each piece. Throws errors of the disk.
 */
export function* readLineLog({ file, source, row, keepsText }: LineRead): Generator<Piece> {
  const fd = openSync(source.path, constants.O_RDONLY | NOFOLLOW | constants.O_NONBLOCK); // opening a FIFO must not block
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('it is no file');
    const isSame = row.offset > 0 && stat.size >= row.offset && row.mark === markBefore(fd, row.offset);
    const start = isSame ? row : { ...row, offset: 0, state: '{}', badLines: 0 };
    const isAgain = row.offset > 0 && !isSame;
    if (isAgain) file.inOne(() => setAside(file, row.num));
    const origin = { agent: source.agent.agent, source: row.num, keepsText, atMs: Math.min(stat.mtimeMs, Date.now()) };
    const writer = new ConversationWriter(file, { ...origin, id: source.log.idOf(source.path) ?? source.path });
    const state = parseObject(start.state) ?? {};
    const hasAside = isAgain || parseObject(row.state)?.hasAside === true; // a kill came before it was settled
    const reader = source.log.newReader(writer, { path: source.path, state });
    writer.resume(sessionOf(source, reader));
    const lines = new LineCutter(fd, start.offset, stat.size);
    let { badLines } = start;
    for (let isMore = true; isMore; ) {
      const from = lines.offset;
      const badBefore = badLines;
      isMore = lines.next((line) => {
        if (!takeLine(source.log, reader, line)) badLines += 1;
      });
      const mark = markBefore(fd, lines.offset);
      let written: Written = { ...NOTHING };
      file.inOne(() => {
        const session = { ...reader.session, id: sessionOf(source, reader) };
        written = writer.write(session);
        if (!isMore && hasAside) written.conversations += settleAside(file, row.num);
        if (!isMore) written.conversations += writer.describe(session);
        file.run(
          'UPDATE sources SET inode = ?, size = ?, mtime_ms = ?, offset = ?, mark = ?, state = ?, bad_lines = ? WHERE num = ?',
          ...[String(stat.ino), isMore ? -1 : source.size, source.mtimeMs, lines.offset, mark],
          ...[JSON.stringify({ ...reader.state, ...(isMore && hasAside && { hasAside }) }), badLines, row.num],
        );
      });
      yield { bytes: lines.offset - from, badLines: badLines - badBefore, ...written };
    }
  } finally {
    closeSync(fd);
  }
}

/** The id in the path leads, if there is one, because a fork begins with lines of another conversation. */
function sessionOf({ log, path }: LineRead['source'], reader: RecordReader): string {
  return log.idOf(path) ?? reader.session.id ?? path;
}

/** Returns false for a line that is not a record. A line that is too long is null. */
function takeLine(log: LineLog, reader: RecordReader, line: Buffer | null): boolean {
  if (line === null) return false;
  const bytes = trimmed(line);
  if (bytes.length === 0) return true;
  if (bytes[0] !== OPEN || bytes[bytes.length - 1] !== CLOSE) return false;
  const text = bytes.toString('utf8');
  if (log.isWanted?.(text) === false) return true;
  const record = parseObject(text);
  if (!record) return false;
  reader.take(record);
  return true;
}

const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
const BLANK = new Set([0x00, 0x09, 0x0d, 0x20]);

function trimmed(line: Buffer): Buffer {
  let from = 0;
  let to = line.length;
  while (from < to && BLANK.has(line[from] ?? 0)) from += 1;
  while (to > from && BLANK.has(line[to - 1] ?? 0)) to -= 1;
  return line.subarray(from, to);
}

function markBefore(fd: number, offset: number): string {
  const length = Math.min(MARK_BYTES, offset);
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, offset - length)).toString('base64');
}

/** Splits a file into complete lines. The agent is still writing the text after the last LF, so it is read the next time. */
class LineCutter {
  readonly #fd: number;
  readonly #end: number;
  /** Offset after the last complete line. */
  offset: number;
  #position: number;
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(fd: number, offset: number, end: number) {
    this.#fd = fd;
    this.#end = end;
    this.offset = offset;
    this.#position = offset;
  }

  /** Returns the lines that end in the next piece of the file, with null for a line over 16 MiB. False at the end. */
  next(take: (line: Buffer | null) => void): boolean {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, this.#end - this.#position));
    const length = chunk.length === 0 ? 0 : readSync(this.#fd, chunk, 0, chunk.length, this.#position);
    let from = 0;
    for (let lf = chunk.indexOf(LF); lf >= 0 && lf < length; lf = chunk.indexOf(LF, from)) {
      this.#keep(chunk.subarray(from, lf));
      take(this.#restBytes > MAX_LINE_BYTES ? null : this.#line());
      this.#rest = [];
      this.#restBytes = 0;
      from = lf + 1;
      this.offset = this.#position + from;
    }
    this.#keep(chunk.subarray(from, length));
    this.#position += length;
    return length > 0 && this.#position < this.#end;
  }

  #line(): Buffer {
    return this.#rest.length === 1 && this.#rest[0] ? this.#rest[0] : Buffer.concat(this.#rest);
  }

  #keep(piece: Buffer): void {
    this.#restBytes += piece.length;
    if (this.#restBytes <= MAX_LINE_BYTES) this.#rest.push(piece);
    else this.#rest = [];
  }
}
