import type { ServerResponse } from 'node:http';

/** A client that reads nothing for this time counts as gone. */
const STALLED_MS = 30_000;

/** Writes a web response as Node's, no faster than the client reads. Resolves when it is over, whichever side ended it; never rejects. */
export async function sendResponse(response: Response, to: ServerResponse): Promise<void> {
  const { connection: _, ...headers } = Object.fromEntries(response.headers); // Node sets it, because the client may have asked to close
  to.writeHead(response.status, headers);
  to.flushHeaders(); // so that a stream is open even before its first data
  const reader = response.body?.getReader();
  if (reader) {
    const cancel = (): void => void reader.cancel().catch(() => undefined); // already ended
    to.once('close', cancel);
    await pump(reader, to);
    to.off('close', cancel);
    if (to.destroyed) cancel();
  }
  to.end();
}

async function pump(reader: ReadableStreamDefaultReader<Uint8Array>, to: ServerResponse): Promise<void> {
  try {
    for (let read = await reader.read(); !read.done && !to.destroyed; read = await reader.read()) {
      if (!to.write(read.value)) await drained(to);
    }
  } catch {
    to.destroy(); // a partial answer must not look complete
  }
}

function drained(to: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => to.destroy(), STALLED_MS);
    const done = (): void => {
      clearTimeout(timer);
      to.off('drain', done);
      to.off('close', done);
      resolve();
    };
    to.on('drain', done);
    to.on('close', done);
    if (to.destroyed) done();
  });
}
