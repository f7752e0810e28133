import { gunzipSync } from 'node:zlib';

export interface TarFile {
  path: string;
  bytes: Uint8Array;
}

const BLOCK = 512;

/** The regular files of a gzipped ustar archive, in order. Supports GNU's long names, but no other extension. */
export function readTarGz(gzipped: Uint8Array): TarFile[] {
  const tar = gunzipSync(gzipped);
  const files: TarFile[] = [];
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const field = (from: number, length: number) =>
      tar.toString('latin1', at + from, at + from + length).split('\0', 1)[0] ?? '';
    const size = Number.parseInt(field(124, 12), 8);
    const bytes = tar.subarray(at + BLOCK, at + BLOCK + size);
    const kind = field(156, 1);
    const prefix = field(345, 155);
    if (kind === 'L') longName = bytes.toString('latin1').split('\0', 1)[0];
    else if (kind === '0' || kind === '') {
      files.push({ path: longName ?? (prefix ? `${prefix}/${field(0, 100)}` : field(0, 100)), bytes });
      longName = undefined;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
