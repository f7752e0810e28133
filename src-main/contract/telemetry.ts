import { z } from 'zod';

/**
 * One span before it is encoded as OTLP. Ids are lower-case hex, 16 and 8 bytes. Times are ms since 1970; `endMs` is never before `startMs`, and
 * a child's times are within its parent's. Texts are redacted already.
 */
export const SpanRecord = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string(),
  startMs: z.number().nonnegative(),
  endMs: z.number().nonnegative(),
  /** Numbers are counts. */
  attributes: z.record(z.string(), z.union([z.string(), z.number().int().nonnegative()])),
  /** Value of `error.type`; null if the operation did not fail. */
  error: z.string().nullable(),
});
export type SpanRecord = z.infer<typeof SpanRecord>;

/** A file of telemetry/queue: the spans of one turn, the turn's own first. */
export const QueuedTurn = z.object({
  version: z.literal(1),
  spans: z.array(SpanRecord).min(1),
  /** Terminal of the turn, which is not sent once the terminal is private. '' in files of earlier versions. */
  terminalId: z.string().default(''),
});
export type QueuedTurn = z.infer<typeof QueuedTurn>;

/** The last queued turn of a conversation: the order of its first message, its number of messages and its end. */
export const SentTurn = z.object({ order: z.number(), messages: z.number().int(), endMs: z.number() });
export type SentTurn = z.infer<typeof SentTurn>;

/** telemetry/state.json. Times are ms since 1970. */
export const TelemetryFile = z.object({
  version: z.literal(1),
  /** `service.instance.id`: random, made with the file. */
  instanceId: z.string(),
  /** When telemetry was turned on; null while it is off. Turns that ended before are not sent automatically. */
  sinceMs: z.number().nullable(),
  /** For conversations that are not in `sent`: turns that ended before this time are already queued. */
  floorMs: z.number(),
  /** Every turn that ended before this time is queued, so the next start need not read older files. */
  checkedMs: z.number(),
  /** Keys are `terminalId/conversationId`. */
  sent: z.record(z.string(), SentTurn),
});
export type TelemetryFile = z.infer<typeof TelemetryFile>;

/** telemetry/headers.json, which only its owner may read: HTTP headers by name, such as Authorization. */
export const TelemetryHeaders = z.object({ version: z.literal(1), headers: z.record(z.string(), z.string()) });
export type TelemetryHeaders = z.infer<typeof TelemetryHeaders>;

/** The state of telemetry, for people. It has no values of headers. Counts are since the core started. Times are ms since 1970. */
export interface TelemetryStatus {
  readonly isOn: boolean;
  /** True if texts of conversations are sent too. */
  readonly hasContent: boolean;
  /** The address for spans; null if `fault` says why there is no address. */
  readonly url: string | null;
  /** The problem with the settings, and how to fix it. */
  readonly fault: string | null;
  readonly headers: readonly string[];
  readonly sinceMs: number | null;
  readonly queue: { readonly turns: number; readonly bytes: number; readonly limitBytes: number };
  readonly sentSpans: number;
  /** Spans that the collector rejected. */
  readonly rejectedSpans: number;
  /** Turns that were dropped, because the queue was full or the collector refused them. */
  readonly droppedTurns: number;
  readonly lastSuccessMs: number | null;
  readonly lastError: { readonly atMs: number; readonly reason: string } | null;
  /** True if the collector refused a request. Nothing is sent until a setting changes or a test succeeds. */
  readonly isPaused: boolean;
  /** Time of the next attempt; null if no retry waits. */
  readonly nextTryMs: number | null;
}

/** The result of one test span. */
export interface TelemetryTest {
  readonly ok: boolean;
  /** The collector's answer or the failure, one line. */
  readonly answer: string;
  readonly durationMs: number;
}

/** Result of `send`. `leftMs`: the end of the first turn that did not fit, because the queue was full; otherwise null. */
export interface TelemetrySend {
  readonly conversations: number;
  readonly turns: number;
  readonly leftMs: number | null;
}
