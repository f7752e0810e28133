import { promisify } from 'node:util';
import zlib from 'node:zlib'; // namespace import: Node below 22.15 has no zstd, and a named import of a missing export ends the process

/** The last of six tested levels (1 to 12) before time triples for a tenth less size (bench/NOTES.md). */
const LEVEL = 3;

/** False on Node below 22.15: nothing is compressed, and files that another Node compressed cannot be read. */
export const hasZstd: boolean = typeof zlib.zstdCompress === 'function';

const NO_ZSTD = `this part of the record is compressed with zstd, which Node ${process.version} lacks`;

/** Compresses `bytes` as one zstd frame with its own checksum, on a thread of the pool. Rejects only if memory is short. */
export async function compressFrame(bytes: Uint8Array): Promise<Buffer> {
  const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = zlib.constants;
  return promisify(zlib.zstdCompress)(bytes, {
    params: { [ZSTD_c_compressionLevel]: LEVEL, [ZSTD_c_checksumFlag]: 1 },
  });
}

/** Our frames hold 1 MiB. A damaged frame must not decide how much memory we use. */
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
