import type { Readable } from 'node:stream';
import { StdioHello } from '../../contract/machines.ts';

/** Limit of the output of the remote shell's start-up files before our line. */
const MAX_BEFORE_BYTES = 64 * 1024;
/** Limit of our line: a token, a version, a reason. */
const MAX_LINE_BYTES = 16 * 1024;
const WORD = 'HANSARD-STDIO ';
/** The word alone could be in a line that a start-up file prints. */
const MARK = `${WORD}{`;

/** Resolves with the hello; later bytes stay in the stream. Rejects if the stream ends first or exceeds the limits. */
export function readHello(from: Readable, signal: AbortSignal): Promise<StdioHello> {
  const { promise, resolve, reject } = Promise.withResolvers<StdioHello>();
  let seen = Buffer.alloc(0);
  const onReadable = (): void => {
    for (let piece = from.read() as Buffer | null; piece !== null; piece = from.read() as Buffer | null) {
      seen = Buffer.concat([seen, piece]);
      const found = findHello(seen);
      if (found === null) continue;
      stop();
      if (found.rest.length > 0) from.unshift(found.rest);
      if (found.hello === null) reject(new Error('the other side answered in words that this version does not know'));
      else resolve(found.hello);
      return;
    }
  };
  const onEnd = (): void => {
    stop();
    reject(new Error('the connection ended before Hansard answered there'));
  };
  const stop = (): void => {
    from.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
    signal.removeEventListener('abort', onEnd);
  };
  from.on('readable', onReadable).on('end', onEnd).on('close', onEnd);
  signal.addEventListener('abort', onEnd);
  return promise;
}

/**
 * Null if more bytes are needed. `hello` is null if it is invalid. Our line may begin behind text on the same line: start-up files set the title of a
 * window, or print words without an end of line.
 */
function findHello(bytes: Buffer): { hello: StdioHello | null; rest: Buffer } | null {
  const at = bytes.indexOf(MARK);
  if (at === -1) return bytes.length > MAX_BEFORE_BYTES ? { hello: null, rest: bytes } : null;
  const end = bytes.indexOf(0x0a, at);
  if (end === -1) return bytes.length - at > MAX_LINE_BYTES ? { hello: null, rest: bytes } : null;
  return { hello: parseHello(bytes.toString('utf8', at + WORD.length, end)), rest: bytes.subarray(end + 1) };
}

function parseHello(text: string): StdioHello | null {
  try {
    return StdioHello.parse(JSON.parse(text));
  } catch {
    return null; // from another version, or from a shell that prints our mark
  }
}
