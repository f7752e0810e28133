import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { SpanRecord } from '../contract/telemetry.ts';

type ReadableSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

export type Encoding = 'protobuf' | 'json';
/** Attributes of the resource by their names. */
export type ResourceFacts = Readonly<Record<string, string>>;

const SERIALIZER = { protobuf: ProtobufTraceSerializer, json: JsonTraceSerializer } as const;
export const CONTENT_TYPE = { protobuf: 'application/x-protobuf', json: 'application/json' } as const;

/** Encodes an ExportTraceServiceRequest. This file loads the OpenTelemetry packages, so it is imported only when something is sent. */
export function encodeSpans(spans: readonly SpanRecord[], facts: ResourceFacts, encoding: Encoding): Uint8Array {
  const resource = resourceFromAttributes({ ...facts });
  const readable = spans.map((span) => readableSpan(span, resource));
  const bytes = SERIALIZER[encoding].serializeRequest(readable);
  if (!bytes) throw new Error('the spans could not be encoded');
  return bytes;
}

/** Reads the partial success from the body of a 2xx answer; null for a full success, and for any other body. */
export function decodeAnswer(body: Uint8Array, encoding: Encoding): { rejected: number; message: string } | null {
  try {
    const { partialSuccess } = SERIALIZER[encoding].deserializeResponse(body);
    // OTLP/JSON writes 64-bit numbers as strings.
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    const message = String(partialSuccess?.errorMessage ?? '');
    if (!Number.isSafeInteger(rejected) || rejected < 0) return null;
    return rejected === 0 && message === '' ? null : { rejected, message };
  } catch {
    return null; // without a readable body, the status decides
  }
}

function readableSpan(span: SpanRecord, resource: Resource): ReadableSpan {
  const context = (spanId: string) => ({ traceId: span.traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  return {
    name: span.name,
    kind: SpanKind.INTERNAL,
    spanContext: () => context(span.spanId),
    ...(span.parentSpanId !== undefined && { parentSpanContext: context(span.parentSpanId) }),
    startTime: hrTime(span.startMs),
    endTime: hrTime(span.endMs),
    duration: hrTime(span.endMs - span.startMs),
    status: span.error === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: span.error },
    attributes: { ...span.attributes },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'hansard', version: String(resource.attributes['service.version'] ?? '') },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Converts ms to seconds and nanoseconds. */
function hrTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))];
}
