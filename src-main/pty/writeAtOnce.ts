import { writeSync } from 'node:fs';

/** What writes into a PTY, with the parts of node-pty's Unix terminal that its types hide. Its descriptor never blocks. */
interface PtyWriter {
  write(bytes: Buffer): void;
  readonly fd?: number;
  readonly _socket?: { readonly destroyed: boolean };
  readonly _writeStream?: { readonly _writeQueue?: readonly unknown[] };
}

/** Beyond a key or a line, the kernel's buffer may be full at once. */
const MAX_BYTES = 1024;

/**
 * Writes a key in this turn. node-pty gives each write to a thread of Node's pool, where it waits for one to be free (they sync files too) and to be
 * scheduled. What the kernel does not take, and what follows something that waits, goes node-pty's way.
 */
export function writeAtOnce(pty: PtyWriter, bytes: Buffer): void {
  const { fd, _socket, _writeStream } = pty;
  const isOpen = _socket?.destroyed === false; // else the number may be another file's
  const isFree = isOpen && _writeStream?._writeQueue?.length === 0 && bytes.length <= MAX_BYTES;
  const written = isFree && fd !== undefined ? tryWrite(fd, bytes) : 0;
  if (written < bytes.length) pty.write(bytes.subarray(written));
}

function tryWrite(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0; // it is full, or the shell has gone: node-pty finds out, and handles that
  }
}
