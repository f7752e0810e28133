import type { IncomingMessage } from 'node:http';

/** A code is 22 characters; the rest is room for a client's own spelling of JSON. */
const MAX_BODY_BYTES = 1024;

/** A small body as text; null when it is larger than a code could be, '' when the client went away. */
export function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(null);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('close', () => resolve(''));
    request.on('error', () => resolve(''));
  });
}

/** The code in `{"code": …}`; '' for anything else, which then counts as a wrong code. */
export function readCode(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null && 'code' in parsed && typeof parsed.code === 'string')
      return parsed.code;
  } catch {
    // invalid JSON has no code
  }
  return '';
}
