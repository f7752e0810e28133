import { promisify } from 'node:util';
import zlib from 'node:zlib'; // whole: Node below 22.15 has no zstd, and a named import of what is missing ends the process

/** Of six levels from 1 to 12, the last before the time trebles for a tenth less (bench/NOTES.md). */
const LEVEL = 3;

/** False on Node below 22.15: nothing is compressed then, and what another Node has compressed cannot be read. */
export const hasZstd: boolean = typeof zlib.zstdCompress === 'function';

const NO_ZSTD = `this part of the record is compressed with zstd, which Node ${process.version} lacks`;

/** `bytes` as one zstd frame that carries its own checksum. Runs on a thread of the pool. Rejects for want of memory only. */
export async function compressFrame(bytes: Uint8Array): Promise<Buffer> {
  const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = zlib.constants;
  return promisify(zlib.zstdCompress)(bytes, {
    params: { [ZSTD_c_compressionLevel]: LEVEL, [ZSTD_c_checksumFlag]: 1 },
  });
}

/** A frame of ours holds 1 MiB. What a damaged one claims must not decide over our memory. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;

/** The content of one frame of unknown size. Rejects for a damaged frame. */
export async function decompressAny(frame: Uint8Array): Promise<Buffer> {
  if (!hasZstd) throw new Error(NO_ZSTD);
  return promisify(zlib.zstdDecompress)(frame, { maxOutputLength: MAX_CONTENT_BYTES });
}

/** The content of one frame, which must be `size` bytes. Rejects for a damaged frame. */
export async function decompressFrame(frame: Uint8Array, size: number): Promise<Buffer> {
  if (!hasZstd) throw new Error(NO_ZSTD);
  const bytes = await promisify(zlib.zstdDecompress)(frame, { maxOutputLength: Math.max(1, size) });
  if (bytes.length !== size) throw new Error(`a compressed frame holds ${bytes.length} bytes instead of ${size}`);
  return bytes;
}
