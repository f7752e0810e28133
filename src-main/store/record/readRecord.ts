import type { BlockId } from '../../contract/ids.ts';
import { openRecordFile, type RecordSource } from '../files/openRecordFile.ts';
import { DamagedFile } from '../files/readFault.ts';
import { readJsonLines } from '../files/readJsonLines.ts';
import { AnyIndexLine, type IndexHeader, type IndexLine } from './indexLines.ts';
import type { SessionFolder } from './SessionFolder.ts';

/** Size of a piece of a sequential read. */
const PIECE_BYTES = 256 * 1024;
/** A slice is in memory as a whole; larger reads use a stream. */
const MAX_SLICE_BYTES = 16 * 1024 * 1024;

/**
 * All readers return the bytes on disk, compressed or not: fewer at the end of a file that is being written, none if it is missing. `flush` the
 * writer first. They reject with errors of the disk, and with a DamagedFile for damage: a stream first yields the bytes before it. A slice
 * over 16 MiB throws.
 */

/** Reads a block's text from byte `fromByte`. */
export function readOutSlice(
  folder: SessionFolder,
  id: BlockId,
  fromByte: number,
  maxBytes: number,
): Promise<Uint8Array> {
  return readSlice(folder.out(id), fromByte, fromByte + maxBytes);
}

/** Reads bytes [from, to) of output.raw. */
export function readRawSlice(folder: SessionFolder, from: number, to: number): Promise<Uint8Array> {
  return readSlice(folder.raw, from, to);
}

/** Streams a block's text in pieces of at most 256 KiB. Each piece is a buffer of its own. */
export function streamOut(folder: SessionFolder, id: BlockId, fromByte = 0): AsyncGenerator<Uint8Array> {
  return streamBytes(folder.out(id), fromByte, Number.POSITIVE_INFINITY);
}

/** Streams a block's rendered lines in pieces of at most 256 KiB. */
export function streamRen(folder: SessionFolder, id: BlockId, fromByte = 0): AsyncGenerator<Uint8Array> {
  return streamBytes(folder.ren(id), fromByte, Number.POSITIVE_INFINITY);
}

/** Streams bytes [from, to) of output.raw in pieces of at most 256 KiB; to its end without `to`. */
export function streamRaw(
  folder: SessionFolder,
  from: number,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  return streamBytes(folder.raw, from, to);
}

export interface BlockIndex {
  source: IndexHeader['source'];
  /** Ordered by line; empty for a block of fewer than 1,024 lines. */
  entries: IndexLine[];
}

/** Reads the sparse line index of a block. Skips damaged lines: a missing entry only makes a read longer. */
export async function readIndex(folder: SessionFolder, id: BlockId): Promise<BlockIndex> {
  const { records } = await readJsonLines(folder.idx(id), (json) => AnyIndexLine.parse(json));
  const index: BlockIndex = { source: 'raw', entries: [] };
  for (const record of records) {
    if ('line' in record) index.entries.push(record);
    else index.source = record.source;
  }
  return index;
}

async function readSlice(path: string, from: number, to: number): Promise<Uint8Array> {
  const length = Math.max(0, to - from);
  if (length > MAX_SLICE_BYTES) throw new RangeError(`a slice of ${length} bytes of ${path}: read a stream instead`);
  const file = await openRecordFile(path);
  if (!file) return new Uint8Array(0);
  try {
    return await file.read(from, length);
  } finally {
    await file.close();
  }
}

async function* streamBytes(path: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  const file = await openRecordFile(path);
  if (!file) return;
  const readAt = (at: number): ReturnType<typeof readSound> => {
    const reading = readSound(file, at, Math.min(PIECE_BYTES, to - at));
    reading.catch(() => undefined); // awaited below, unless the caller stops first
    return reading;
  };
  let next = readAt(from);
  try {
    for (let at = from; at < to; ) {
      const { piece, damage } = await next;
      at += piece.length;
      if (!damage && piece.length > 0 && at < to) next = readAt(at); // reads ahead while the caller uses this piece
      if (piece.length > 0) yield piece;
      if (damage) throw damage;
      if (piece.length === 0) return;
    }
  } finally {
    await next.catch(() => undefined);
    await file.close();
  }
}

/** Reads the intact start of a range, and returns the damage that ends it, if any. */
async function readSound(
  file: RecordSource,
  position: number,
  length: number,
): Promise<{ piece: Uint8Array; damage: DamagedFile | null }> {
  try {
    return { piece: await file.read(position, length), damage: null };
  } catch (thrown) {
    if (!(thrown instanceof DamagedFile)) throw thrown;
    const sound = Math.max(0, thrown.fromByte - position);
    return { piece: sound > 0 ? await file.read(position, sound) : new Uint8Array(0), damage: thrown };
  }
}
