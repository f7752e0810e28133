import type { IncomingMessage } from 'node:http';

/** The same limit as for a line on the socket. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Inputs of tools are five levels deep; other parsers and schemas have failed at thousands. */
const MAX_DEPTH = 64;

export type BodyRead =
  | { ok: true; json: unknown }
  /** `code` is JSON-RPC's. */
  | { ok: false; status: 400 | 413; code: number; reason: string }
  /** The client is gone, or was too slow. */
  | { ok: false; status: null };

/** The JSON of a request's body. Stops reading a body that is too large, so the connection has to be closed. */
export async function readJsonBody(request: IncomingMessage): Promise<BodyRead> {
  const tooLarge = {
    ok: false,
    status: 413,
    code: -32600,
    reason: `a message has at most ${MAX_BODY_BYTES} bytes`,
  } as const;
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) return tooLarge;
      chunks.push(chunk);
    }
  } catch {
    return { ok: false, status: null }; // aborted: the client is gone
  }
  return parseBody(Buffer.concat(chunks));
}

export function parseBody(bytes: Uint8Array): BodyRead {
  if (depthOf(bytes) > MAX_DEPTH) {
    return { ok: false, status: 400, code: -32600, reason: `a message is at most ${MAX_DEPTH} levels deep` };
  }
  try {
    return { ok: true, json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { ok: false, status: 400, code: -32700, reason: 'the body is not JSON in UTF-8' };
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The nesting depth of objects and arrays in JSON; an arbitrary number for other bytes. */
export function depthOf(json: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return deepest;
}
