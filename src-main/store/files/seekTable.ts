/**
 * The index at the end of a compressed file, in the zstd seekable format (zstd's contrib/seekable_format, 0.1.0):
 * a skippable frame, which every zstd decoder skips, with the sizes of all frames before it. Numbers are little-endian.
 *
 *     magic u32, length u32, { compressed u32, content u32 } …, number of frames u32, descriptor u8 (0), footer magic u32
 */
const SKIPPABLE_MAGIC = 0x184d2a5e;
const SEEKABLE_MAGIC = 0x8f92eab1;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 8;
export const FOOTER_BYTES = 9;
/** Bit 7 of the descriptor: each entry has its own checksum. Our frames have checksums inside. */
const HAS_CHECKSUMS = 0x80;

/** Our frames hold 1 MiB. A damaged index must not decide how much memory we use. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** A frame: its position in the compressed file, and the part of the content that it holds. */
export interface SeekEntry {
  at: number;
  bytes: number;
  contentAt: number;
  contentBytes: number;
}

export function formatSeekTable(frames: readonly { bytes: number; contentBytes: number }[]): Buffer {
  const length = frames.length * ENTRY_BYTES + FOOTER_BYTES;
  const table = Buffer.alloc(HEADER_BYTES + length);
  table.writeUInt32LE(SKIPPABLE_MAGIC, 0);
  table.writeUInt32LE(length, 4);
  for (const [n, { bytes, contentBytes }] of frames.entries()) {
    table.writeUInt32LE(bytes, HEADER_BYTES + n * ENTRY_BYTES);
    table.writeUInt32LE(contentBytes, HEADER_BYTES + n * ENTRY_BYTES + 4);
  }
  table.writeUInt32LE(frames.length, table.length - FOOTER_BYTES);
  table.writeUInt32LE(SEEKABLE_MAGIC, table.length - 4);
  return table;
}

/** Size of the table with this footer (the last 9 bytes of the file); null if it is not one of our footers. */
export function seekTableBytes(footer: Buffer): number | null {
  if (footer.length !== FOOTER_BYTES || footer.readUInt32LE(5) !== SEEKABLE_MAGIC) return null;
  if (((footer[4] ?? 0) & HAS_CHECKSUMS) !== 0) return null;
  return HEADER_BYTES + footer.readUInt32LE(0) * ENTRY_BYTES + FOOTER_BYTES;
}

/** Returns the frames of a file of `fileBytes` bytes that ends in `table`; null if the two disagree, which is damage. */
export function parseSeekTable(table: Buffer, fileBytes: number): SeekEntry[] | null {
  if (table.length < HEADER_BYTES + FOOTER_BYTES || seekTableBytes(table.subarray(-FOOTER_BYTES)) !== table.length)
    return null;
  if (table.readUInt32LE(0) !== SKIPPABLE_MAGIC || table.readUInt32LE(4) !== table.length - HEADER_BYTES) return null;
  const entries: SeekEntry[] = [];
  let at = 0;
  let contentAt = 0;
  for (let from = HEADER_BYTES; from < table.length - FOOTER_BYTES; from += ENTRY_BYTES) {
    const entry = { at, bytes: table.readUInt32LE(from), contentAt, contentBytes: table.readUInt32LE(from + 4) };
    if (entry.contentBytes > MAX_FRAME_BYTES) return null;
    entries.push(entry);
    at += entry.bytes;
    contentAt += entry.contentBytes;
  }
  return at === fileBytes - table.length ? entries : null;
}
