import { redactSecrets } from '../redaction/redactSecrets.ts';
import { escapeLine } from '../util/escapeControls.ts';
import type { Answer } from './judgeAnswer.ts';

/** OTLP exporters wait this long by default. */
export const TIMEOUT_MS = 10_000;
/** A collector's answer has a few bytes; a longer body is the page of another server. */
const MOST_ANSWER_BYTES = 64 * 1024;
const MOST_MESSAGE_CHARS = 200;

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly userAgent: string;
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Reads the body of a 2xx answer. */
  readonly partial: (body: Uint8Array) => { rejected: number; message: string } | null;
}

/** Sends one request. Resolves to the answer, never rejects, never follows a redirect, and never includes a header's value. */
export async function postSpans(post: Post): Promise<Answer> {
  const timeout = AbortSignal.timeout(post.timeoutMs ?? TIMEOUT_MS);
  const signal = AbortSignal.any([post.signal, timeout]);
  try {
    const response = await fetch(post.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...post.headers, 'content-type': post.contentType, 'user-agent': post.userAgent },
      body: Buffer.from(post.body),
      signal,
    });
    const body = await readStart(response, signal);
    const partial = response.ok ? post.partial(body) : null;
    return {
      kind: 'http',
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      partial: partial && { rejected: partial.rejected, message: oneLine(withoutHeaders(partial.message, post)) },
      message: response.ok ? '' : oneLine(withoutHeaders(messageOf(body, response.headers.get('content-type')), post)),
    };
  } catch (error) {
    if (post.signal.aborted) return { kind: 'stopped' };
    if (timeout.aborted)
      return { kind: 'failed', reason: `no answer within ${(post.timeoutMs ?? TIMEOUT_MS) / 1000} s` };
    return { kind: 'failed', reason: reasonOf(error) };
  }
}

/** Reads the first bytes of a body, and not the rest. */
async function readStart(response: Response, signal: AbortSignal): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  while (reader && size < MOST_ANSWER_BYTES) {
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(pieces);
    pieces.push(value);
    size += value.length;
  }
  await reader?.cancel();
  return Buffer.concat(pieces).subarray(0, MOST_ANSWER_BYTES);
}

/** Returns the message of a refusal: the `message` of JSON, or short plain text. HTML and protobuf are not for people. */
function messageOf(body: Uint8Array, contentType: string | null): string {
  const text = Buffer.from(body).toString('utf8');
  if (/json/.test(contentType ?? '')) {
    try {
      const json: unknown = JSON.parse(text);
      const message = typeof json === 'object' && json !== null && 'message' in json ? json.message : '';
      return typeof message === 'string' ? message : '';
    } catch {
      return '';
    }
  }
  return /^text\/plain/.test(contentType ?? '') ? text : '';
}

/** Shorter words of a header's value are not secret, such as Bearer. */
const LEAST_SECRET_CHARS = 7;

/** Removes header values from a text, because a collector may repeat a key that it refuses. */
function withoutHeaders(message: string, { headers }: Post): string {
  const words = Object.values(headers).flatMap((value) => [value, ...value.split(/[\s,;=:]+/)]);
  const secrets = words.filter(({ length }) => length >= LEAST_SECRET_CHARS);
  return secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted: header]'), message);
}

/** Redacts and shortens a collector's text, which may repeat what was sent. */
function oneLine(text: string): string {
  const line = escapeLine(redactSecrets(text).text.replace(/\s+/g, ' ').trim());
  return line.length <= MOST_MESSAGE_CHARS ? line : `${line.slice(0, MOST_MESSAGE_CHARS - 1)}…`;
}

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address',
  ENOTFOUND: 'the name of the collector is not known',
  EAI_AGAIN: 'the name of the collector could not be looked up',
  ECONNRESET: 'the collector closed the connection',
  UND_ERR_SOCKET: 'the collector closed the connection',
  ETIMEDOUT: 'the collector could not be reached',
  EHOSTUNREACH: 'the collector could not be reached',
  ENETUNREACH: 'there is no network',
};
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

/** Describes an error by its code only, because the text of an error may contain what was sent. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (CERTIFICATE.test(code)) return `the collector’s certificate is not trusted (${code})`;
  if (code.startsWith('HPE_') || (cause instanceof Error && cause.name === 'HTTPParserError'))
    return 'the answer is not HTTP';
  if (cause instanceof Error && cause.message === 'bad port') return 'that port is reserved and not used for HTTP';
  return CODES[code] ?? `the request failed${/^[A-Z_0-9]+$/.test(code) ? ` (${code})` : ''}`;
}
