/** The answer of a collector, or the reason why there is no answer. Texts of the collector are one line, shortened and redacted. */
export type Answer =
  | {
      readonly kind: 'http';
      readonly status: number;
      /** The unchanged Retry-After header. */
      readonly retryAfter: string | null;
      readonly partial: { readonly rejected: number; readonly message: string } | null;
      /** The message in the body; '' if it has no message. */
      readonly message: string;
    }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Sending was turned off during the request. */
  | { readonly kind: 'stopped' };

/**
 * The next step. `sent`: the collector has the spans. `retry`: send the same request later, and not before `afterMs` if the collector set it.
 * `refused`: the collector will never accept these spans. `pause`: the collector will accept no request until somebody changes something.
 */
export type Verdict =
  | { readonly kind: 'sent' }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs: number | null }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'pause'; readonly reason: string }
  | { readonly kind: 'stopped' };

/** OTLP/HTTP allows retries for these codes only. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** These codes refuse the content. Every other refusal concerns the address, the headers or the collector. */
const ABOUT_SPANS: ReadonlySet<number> = new Set([400, 413, 422]);
/** Hansard retries after this time, even if the collector asks for a longer wait. */
const MOST_AFTER_MS = 24 * 60 * 60 * 1000;

/** Matches HTTP dates, because `Date.parse` accepts many other texts. */
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

/** Returns a text such as `503 Service Unavailable: overloaded`. */
export function describeAnswer({ status, message }: Extract<Answer, { kind: 'http' }>): string {
  const words =
    status >= 300 && status < 400
      ? 'a redirect, which is not followed: enter the new address as Endpoint'
      : WORDS[status];
  return [`${status}${words === undefined ? '' : ` ${words}`}`, message].filter((part) => part !== '').join('. ');
}

/** Reads seconds or an HTTP date; null for any other value. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text) - nowMs : Number.NaN;
  const afterMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : dateMs;
  return Number.isNaN(afterMs) ? null : Math.min(Math.max(0, afterMs), MOST_AFTER_MS);
}
