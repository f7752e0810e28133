import { closeSync, fstatSync, readSync } from 'node:fs';
import { asDiskError } from '../files/Disk.ts';
import { openRecordFile } from '../files/openRecordFile.ts';
import { openRegularNow } from '../files/readPiece.ts';

/**
 * Bytes that the index covers at the start of a text, and again at its end; the middle is left out and searched in the
 * file. 999 of 1,000 outputs are shorter than one of the two.
 */
export const END_BYTES = 1024 * 1024;

export interface TextEnds {
  head: string;
  /** Whole lines; '' if `head` is the whole text. */
  tail: string;
  isLeftOut: boolean;
}

/** Reads the start and the end of a block's text; empty if there is no file. Reads a plain file synchronously, for a third of the cost. */
export async function readEnds(path: string): Promise<TextEnds> {
  const plain = readPlainEnds(path);
  if (plain) return plain;
  const file = await openRecordFile(path);
  if (!file) return { head: '', tail: '', isLeftOut: false };
  try {
    const size = await file.size();
    if (size <= 2 * END_BYTES) return whole(await file.read(0, size));
    return cut(await file.read(0, END_BYTES), await file.read(size - END_BYTES, END_BYTES));
  } finally {
    await file.close();
  }
}

/** Null if there is no plain file. */
function readPlainEnds(path: string): TextEnds | null {
  let file: number;
  try {
    file = openRegularNow(path);
  } catch (error) {
    if (asDiskError(error).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    if (size <= 2 * END_BYTES) return whole(readAt(file, 0, size));
    return cut(readAt(file, 0, END_BYTES), readAt(file, size - END_BYTES, END_BYTES));
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
}

function whole(bytes: Buffer): TextEnds {
  return { head: bytes.toString('utf8'), tail: '', isLeftOut: false };
}

function cut(head: Buffer, tail: Buffer): TextEnds {
  return { head: toLastLine(head), tail: fromNextLine(tail), isLeftOut: true };
}

function toLastLine(bytes: Buffer): string {
  const end = bytes.lastIndexOf(0x0a);
  return bytes.subarray(0, end < 0 ? bytes.length : end + 1).toString('utf8');
}

function fromNextLine(bytes: Buffer): string {
  const end = bytes.indexOf(0x0a);
  return bytes.subarray(end < 0 ? 0 : end + 1).toString('utf8');
}
