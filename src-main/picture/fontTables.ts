import { inflateSync } from 'node:zlib';

/** Which characters a font has a glyph for. */
export interface FontCoverage {
  has(codepoint: number): boolean;
}

const HEADER_BYTES = 12;
const ENTRY_BYTES = 16;
/** Limit of a font's tables: real fonts have some dozen. */
const MAX_TABLES = 64;
const WOFF_HEADER_BYTES = 44;
const WOFF_ENTRY_BYTES = 20;
/** More than any table of our own fonts. */
const MAX_TABLE_BYTES = 8 * 1024 * 1024;

/**
 * Unpacks the sfnt in a WOFF 1 font (W3C WOFF 1.0, §4 and §5): inflates its tables, one after the other. Only for our own fonts: throws
 * for other data.
 */
export function unpackWoff(woff: Uint8Array): Uint8Array {
  const view = viewOf(woff);
  if (view.getUint32(0) !== 0x774f4646) throw new Error('no WOFF font');
  const count = view.getUint16(12);
  const sfnt: Uint8Array[] = [sfntHeader(view.getUint32(4), count)];
  const tables: Uint8Array[] = [];
  let offset = HEADER_BYTES + count * ENTRY_BYTES;
  for (let at = 0; at < count; at += 1) {
    const entry = WOFF_HEADER_BYTES + at * WOFF_ENTRY_BYTES;
    const [from, packed, size] = [view.getUint32(entry + 4), view.getUint32(entry + 8), view.getUint32(entry + 12)];
    const bytes = woff.subarray(from, from + packed);
    const table = packed < size ? inflateSync(bytes, { maxOutputLength: MAX_TABLE_BYTES }) : bytes;
    const head = new Uint8Array(ENTRY_BYTES);
    head.set(woff.subarray(entry, entry + 4));
    viewOf(head).setUint32(4, view.getUint32(entry + 16));
    viewOf(head).setUint32(8, offset);
    viewOf(head).setUint32(12, size);
    sfnt.push(head);
    tables.push(table, new Uint8Array(-table.length & 3)); // tables begin at a multiple of four
    offset += (table.length + 3) & ~3;
  }
  return Buffer.concat([...sfnt, ...tables]);
}

function sfntHeader(flavor: number, count: number): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = viewOf(header);
  const log = Math.floor(Math.log2(count));
  view.setUint32(0, flavor);
  view.setUint16(4, count);
  view.setUint16(6, 16 << log);
  view.setUint16(8, log);
  view.setUint16(10, count * 16 - (16 << log));
  return header;
}

/** Reads `length` bytes of a font file at `offset`; fewer at the end of the file. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

/**
 * The characters that the first face of a font file (sfnt or a collection) draws as outlines. Null for other files, for bitmap fonts,
 * and for character maps in formats other than 4 and 12. Never throws, although system files may contain anything.
 */
export function readCoverage(read: ReadAt): FontCoverage | null {
  try {
    const tables = tablesOf(read);
    const cmap = tables.get('cmap');
    const isDrawn = tables.has('glyf') || tables.has('CFF ') || tables.has('CFF2');
    if (!cmap || !isDrawn || tables.has('sbix') || tables.has('CBDT')) return null;
    return coverageOf(read(cmap.offset, Math.min(cmap.length, MAX_TABLE_BYTES)));
  } catch (error) {
    if (error instanceof RangeError) return null; // truncated, or with invalid offsets
    throw error;
  }
}

function tablesOf(read: ReadAt): Map<string, { offset: number; length: number }> {
  const start = viewOf(read(0, 16));
  const isCollection = start.getUint32(0) === 0x74746366;
  const at = isCollection ? start.getUint32(12) : 0;
  const count = Math.min(MAX_TABLES, viewOf(read(at, HEADER_BYTES)).getUint16(4));
  const bytes = read(at + HEADER_BYTES, count * ENTRY_BYTES);
  const view = viewOf(bytes);
  const tables = new Map<string, { offset: number; length: number }>();
  for (let entry = 0; entry < count * ENTRY_BYTES; entry += ENTRY_BYTES) {
    const name = String.fromCharCode(...bytes.subarray(entry, entry + 4));
    tables.set(name, { offset: view.getUint32(entry + 8), length: view.getUint32(entry + 12) });
  }
  return tables;
}

/** The map with the most characters: format 12 if there is one. */
function coverageOf(cmap: Uint8Array): FontCoverage | null {
  const view = viewOf(cmap);
  const maps = new Map<number, number>();
  for (let at = 0; at < Math.min(MAX_TABLES, view.getUint16(2)); at += 1) {
    const offset = view.getUint32(4 + at * 8 + 4);
    maps.set(view.getUint16(offset), offset);
  }
  const [wide, narrow] = [maps.get(12), maps.get(4)];
  if (wide !== undefined) return groupsAt(view, wide);
  return narrow === undefined ? null : segmentsAt(view, narrow);
}

/** Format 12 (OpenType, `cmap`): groups of first, last and glyph. */
function groupsAt(view: DataView, at: number): FontCoverage {
  const count = Math.min(view.getUint32(at + 12), Math.floor((view.byteLength - at - 16) / 12));
  const first = (group: number): number => view.getUint32(at + 16 + group * 12);
  const last = (group: number): number => view.getUint32(at + 16 + group * 12 + 4);
  return { has: (codepoint) => isWithin(codepoint, { count, first, last }) };
}

/** Format 4: segments up to U+FFFF; one that leads to glyph 0, which few fonts have, counts as drawn. */
function segmentsAt(view: DataView, at: number): FontCoverage {
  const count = Math.min(view.getUint16(at + 6) / 2, Math.floor((view.byteLength - at - 16) / 8));
  const last = (segment: number): number => view.getUint16(at + 14 + segment * 2);
  const first = (segment: number): number => view.getUint16(at + 16 + count * 2 + segment * 2);
  return { has: (codepoint) => codepoint < 0xffff && isWithin(codepoint, { count, first, last }) };
}

interface Ranges {
  readonly count: number;
  first(at: number): number;
  last(at: number): number;
}

function isWithin(codepoint: number, { count, first, last }: Ranges): boolean {
  let [low, high] = [0, count - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codepoint > last(middle)) low = middle + 1;
    else if (codepoint < first(middle)) high = middle - 1;
    else return true;
  }
  return false;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
