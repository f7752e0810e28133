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
  attributes: z.record(z.string(), z.string()),
  /** Of `error.type`; null: the operation did not fail. */
  error: z.string().nullable(),
});
export type SpanRecord = z.infer<typeof SpanRecord>;

/** A file of telemetry/queue: the spans of one turn, the turn's own first. */
export const QueuedTurn = z.object({ version: z.literal(1), spans: z.array(SpanRecord).min(1) });
export type QueuedTurn = z.infer<typeof QueuedTurn>;

/** The last turn of a conversation that was queued: the order of its first message, how many messages it had then, and when it ended. */
export const SentTurn = z.object({ order: z.number(), messages: z.number().int(), endMs: z.number() });
export type SentTurn = z.infer<typeof SentTurn>;

/** telemetry/state.json. Times are ms since 1970. */
export const TelemetryFile = z.object({
  version: z.literal(1),
  /** `service.instance.id`: random, made with the file. */
  instanceId: z.string(),
  /** When telemetry was turned on; null while it is off. Turns that ended before are not sent by themselves. */
  sinceMs: z.number().nullable(),
  /** Of conversations that are not in `sent`, turns that ended before this were queued already. */
  floorMs: z.number(),
  /** Every turn that was over by then is queued: what was written before needs no look at the next start. */
  checkedMs: z.number(),
  /** By `terminalId/conversationId`. */
  sent: z.record(z.string(), SentTurn),
});
export type TelemetryFile = z.infer<typeof TelemetryFile>;

/** telemetry/headers.json, which only its owner may read: HTTP headers by name, such as Authorization. */
export const TelemetryHeaders = z.object({ version: z.literal(1), headers: z.record(z.string(), z.string()) });
export type TelemetryHeaders = z.infer<typeof TelemetryHeaders>;

/** The state of telemetry, for people. It has no header's value. Counts are of this run of the core. Times are ms since 1970. */
export interface TelemetryStatus {
  readonly isOn: boolean;
  /** Texts of conversations are sent too. */
  readonly hasContent: boolean;
  /** Where spans are posted to; null while `fault` says why not. */
  readonly url: string | null;
  /** What is wrong with the settings, and what to do. */
  readonly fault: string | null;
  readonly headers: readonly string[];
  readonly sinceMs: number | null;
  readonly queue: { readonly turns: number; readonly bytes: number; readonly limitBytes: number };
  readonly sentSpans: number;
  /** Spans that the collector said it did not take. */
  readonly rejectedSpans: number;
  /** Turns that were given up: the queue was full, or the collector refused them. */
  readonly droppedTurns: number;
  readonly lastSuccessMs: number | null;
  readonly lastError: { readonly atMs: number; readonly reason: string } | null;
  /** The collector refused: nothing is sent until a setting changes or a test succeeds. */
  readonly isPaused: boolean;
  /** When the next attempt is made; null when nothing waits for one. */
  readonly nextTryMs: number | null;
}

/** What became of one test span. */
export interface TelemetryTest {
  readonly ok: boolean;
  /** The collector's answer or the failure, one line. */
  readonly answer: string;
  readonly durationMs: number;
}

/** What `send` queued. `leftMs`: the queue was full; the first turn that did not fit ended then. */
export interface TelemetrySend {
  readonly conversations: number;
  readonly turns: number;
  readonly leftMs: number | null;
}
