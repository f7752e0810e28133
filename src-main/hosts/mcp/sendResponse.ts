import type { ServerResponse } from 'node:http';

/** A client that takes nothing for so long is not reading any more. */
const STALLED_MS = 30_000;

/** Writes a web response as Node's, no faster than the client reads. Resolves when it is over, whichever side ended it; never rejects. */
export async function sendResponse(response: Response, to: ServerResponse): Promise<void> {
  const { connection: _, ...headers } = Object.fromEntries(response.headers); // Node's to say: the client may have asked to close
  to.writeHead(response.status, headers);
  to.flushHeaders(); // a stream that has nothing to say yet is open all the same
  const reader = response.body?.getReader();
  if (reader) {
    const cancel = (): void => void reader.cancel().catch(() => undefined); // it has ended by itself
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
    to.destroy(); // half an answer must not look like a whole one
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
