import { writeSync } from 'node:fs';

/** node-pty's Unix terminal with the members that its types hide. Its descriptor never blocks. */
interface PtyWriter {
  write(bytes: Buffer): void;
  readonly fd?: number;
  readonly _socket?: { readonly destroyed: boolean };
  readonly _writeStream?: { readonly _writeQueue?: readonly unknown[] };
}

/** Longer texts than a key or a line may fill the kernel's buffer. */
const MAX_BYTES = 1024;

/**
 * Writes a key in this turn of the event loop. node-pty hands each write to Node's thread pool, where it waits for a free thread, because those
 * sync files too. node-pty still writes the bytes that the kernel does not accept, and everything that follows waiting bytes.
 */
export function writeAtOnce(pty: PtyWriter, bytes: Buffer): void {
  const { fd, _socket, _writeStream } = pty;
  const isOpen = _socket?.destroyed === false; // a closed number may belong to another file by now
  const isFree = isOpen && _writeStream?._writeQueue?.length === 0 && bytes.length <= MAX_BYTES;
  const written = isFree && fd !== undefined ? tryWrite(fd, bytes) : 0;
  if (written < bytes.length) pty.write(bytes.subarray(written));
}

function tryWrite(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0; // the buffer is full or the shell has ended: node-pty handles both
  }
}
