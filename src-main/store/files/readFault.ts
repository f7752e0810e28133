/** A file of the record exists but is damaged. */
export class DamagedFile extends Error {
  readonly path: string;
  readonly reason: string;
  /** The first unreadable byte of the content; all bytes before it can be read. */
  readonly fromByte: number;

  constructor(path: string, reason: string, { fromByte = 0, cause }: { fromByte?: number; cause?: unknown } = {}) {
    super(`${path} ${reason}`, { cause });
    this.path = path;
    this.reason = reason;
    this.fromByte = fromByte;
  }
}

/** A full disk has refused a text of the record so far. The core writes it when there is room. */
export class RefusedText extends Error {
  readonly path: string;

  constructor(path: string) {
    super('The disk has refused it so far. It can be read when there is room');
    this.path = path;
  }
}

/** A part of the record that could not be read. `path` and `reason` together are a sentence for people. */
export interface ReadFault {
  readonly path: string;
  readonly reason: string;
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  ELOOP: 'is a symbolic link, which the record does not follow',
  EISDIR: 'is a folder where a file should be',
  ENOTDIR: 'is a file where a folder should be',
  ENOENT: 'is not there',
  EIO: 'cannot be read: the disk reports an input/output error',
};

/** Returns null for an error unrelated to files on disk. `path` is used if the error names none. */
export function readFaultOf(error: unknown, path: string): ReadFault | null {
  if (error instanceof DamagedFile) return { path: error.path, reason: error.reason };
  if (error instanceof RefusedText) return { path: error.path, reason: 'is not whole: the disk has refused it so far' };
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null;
  const where = 'path' in error && typeof error.path === 'string' ? error.path : path;
  const code = String(error.code);
  return { path: where, reason: `${WORDS[code] ?? `cannot be read: ${error.message}`} (${code})` };
}

/** Yields `items` until one fails, and reports the failure as a fault. `path` is used if the error names none. */
export async function* untilFault<T>(
  items: AsyncIterable<T>,
  { path, onFault }: { path: string; onFault: (fault: ReadFault) => void },
): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    const fault = readFaultOf(error, path);
    if (!fault) throw error;
    onFault(fault);
  }
}
