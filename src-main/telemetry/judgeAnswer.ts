/** What a collector answered, or why there was no answer. Texts of the collector are one line, shortened and without secrets. */
export type Answer =
  | {
      readonly kind: 'http';
      readonly status: number;
      /** The Retry-After header as it came. */
      readonly retryAfter: string | null;
      readonly partial: { readonly rejected: number; readonly message: string } | null;
      /** The body's message, '' without one. */
      readonly message: string;
    }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Sending was turned off meanwhile. */
  | { readonly kind: 'stopped' };

/**
 * What follows from it. `sent`: the spans are the collector's now. `retry`: the same request later, not before `afterMs` when the collector said so.
 * `refused`: these spans are not taken, and never will be. `pause`: no request would be taken until somebody changes something.
 */
export type Verdict =
  | { readonly kind: 'sent' }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs: number | null }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'pause'; readonly reason: string }
  | { readonly kind: 'stopped' };

/** OTLP/HTTP: these, and no others, may be tried again. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** About what was sent. Every other refusal is about the address, the headers or the collector itself. */
const ABOUT_SPANS: ReadonlySet<number> = new Set([400, 413, 422]);
/** A collector that wants to be left alone for longer is asked again after that all the same. */
const MOST_AFTER_MS = 24 * 60 * 60 * 1000;

/** `Date.parse` takes much else for a date. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, /;

const WORDS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized: check the headers',
  403: 'Forbidden: check the headers',
  404: 'Not Found: check the endpoint',
  405: 'Method Not Allowed: check the endpoint',
  413: 'Content Too Large',
  415: 'Unsupported Media Type: try the other encoding',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export function judgeAnswer(answer: Answer, nowMs: number): Verdict {
  if (answer.kind === 'stopped') return answer;
  if (answer.kind === 'failed') return { kind: 'retry', reason: answer.reason, afterMs: null };
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const reason = describeAnswer(answer);
  if (RETRYABLE.has(status)) return { kind: 'retry', reason, afterMs: retryAfterMs(answer.retryAfter, nowMs) };
  return { kind: ABOUT_SPANS.has(status) ? 'refused' : 'pause', reason };
}

/** `503 Service Unavailable: overloaded`. */
export function describeAnswer({ status, message }: Extract<Answer, { kind: 'http' }>): string {
  const words =
    status >= 300 && status < 400
      ? 'a redirect, which is not followed: enter the new address as Endpoint'
      : WORDS[status];
  return [`${status}${words === undefined ? '' : ` ${words}`}`, message].filter((part) => part !== '').join('. ');
}

/** Seconds or an HTTP date; null for anything else. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text) - nowMs : Number.NaN;
  const afterMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : dateMs;
  return Number.isNaN(afterMs) ? null : Math.min(Math.max(0, afterMs), MOST_AFTER_MS);
}
