import { stat } from 'node:fs/promises';
import { openRecordFile, restedPath } from '../openRecordFile.ts';

/**
 * How much of a text the index knows from its start, and as much from its end: what is between is left out, and found by reading the
 * file. Nine hundred and ninety-nine of a thousand outputs are shorter than one of them.
 */
export const END_BYTES = 1024 * 1024;

export interface TextEnds {
  head: string;
  /** Whole lines; '' where `head` is all. */
  tail: string;
  isLeftOut: boolean;
}

/** The start and the end of a block's text. Empty when there is no file. */
export async function readEnds(path: string): Promise<TextEnds> {
  const file = await openRecordFile(path);
  if (!file) return { head: '', tail: '', isLeftOut: false };
  try {
    const size = await file.size();
    if (size <= 2 * END_BYTES) return { head: (await file.read(0, size)).toString('utf8'), tail: '', isLeftOut: false };
    const head = await file.read(0, END_BYTES);
    const tail = await file.read(size - END_BYTES, END_BYTES);
    return { head: toLastLine(head), tail: fromNextLine(tail), isLeftOut: true };
  } finally {
    await file.close();
  }
}

/** Tells one state of a file from another; '' when there is none. Compressing changes it, which costs no more than a look. */
export async function stampOf(path: string): Promise<string> {
  for (const one of [path, restedPath(path)]) {
    const found = await stat(one).catch(() => null); // in the other form, or none
    if (found) return `${found.size}:${Math.trunc(found.mtimeMs)}`;
  }
  return '';
}

function toLastLine(bytes: Buffer): string {
  const end = bytes.lastIndexOf(0x0a);
  return bytes.subarray(0, end < 0 ? bytes.length : end + 1).toString('utf8');
}

function fromNextLine(bytes: Buffer): string {
  const end = bytes.indexOf(0x0a);
  return bytes.subarray(end < 0 ? 0 : end + 1).toString('utf8');
}
