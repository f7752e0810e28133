import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor.js';

/** A span as the official schema decodes it, with its resource. Ids are hex, times nanoseconds. */
export interface GotSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly status: string;
  readonly resource: Readonly<Record<string, string | number>>;
}

const PACKAGE = 'opentelemetry.proto.collector.trace.v1';
const files = JSON.parse(
  readFileSync(new URL('../../fixtures/otlp/descriptors.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const set = descriptor.FileDescriptorSet.create({
  file: Object.values(files).map((one) => descriptor.FileDescriptorProto.decode(Buffer.from(one, 'base64'))),
});
const root = (protobuf.Root as unknown as { fromDescriptor(of: unknown): protobuf.Root }).fromDescriptor(set);
root.resolveAll();
const request = root.lookupType(`${PACKAGE}.ExportTraceServiceRequest`);
const response = root.lookupType(`${PACKAGE}.ExportTraceServiceResponse`);

interface Value {
  stringValue?: string;
  intValue?: string | number | null;
}
interface KeyValue {
  key: string;
  value: Value;
}
interface RawSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: string | number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  status: { code: string | number };
}
interface Decoded {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: RawSpan[] }[] }[];
}

/** Decodes a request; throws for other bytes. */
export function decodeProtobuf(body: Uint8Array): GotSpan[] {
  const message = request.decode(body);
  const object = inCamelCase(
    request.toObject(message, { longs: String, enums: String, bytes: String, defaults: true }),
  ) as Decoded;
  const hex = (base64: string) => Buffer.from(base64, 'base64').toString('hex');
  return spansOf(object, hex);
}

/** Decodes OTLP/JSON, where ids are hex, enums numbers, and 64-bit numbers strings. */
export function decodeJson(body: Uint8Array): GotSpan[] {
  return spansOf(JSON.parse(Buffer.from(body).toString('utf8')) as Decoded, (hex) => hex);
}

export function encodeResponse(partialSuccess?: { rejectedSpans: number; errorMessage: string }): Uint8Array {
  const partial = partialSuccess && {
    rejected_spans: partialSuccess.rejectedSpans,
    error_message: partialSuccess.errorMessage,
  };
  return response.encode(response.create(partial ? { partial_success: partial } : {})).finish();
}

/** Converts the schema's names, which the descriptor uses, to the camel case of OTLP/JSON. */
function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [camel(name), inCamelCase(one)]));
}

function spansOf({ resourceSpans }: Decoded, hex: (id: string) => string): GotSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId ?? ''),
        name: span.name,
        kind: span.kind === 1 ? 'SPAN_KIND_INTERNAL' : String(span.kind),
        startNs: BigInt(span.startTimeUnixNano),
        endNs: BigInt(span.endTimeUnixNano),
        attributes: record(span.attributes),
        status: { 0: 'STATUS_CODE_UNSET', 2: 'STATUS_CODE_ERROR' }[span.status.code] ?? String(span.status.code),
        resource: record(resource.attributes),
      })),
    ),
  );
}

function record(pairs: readonly KeyValue[]): Record<string, string | number> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, readValue(value)]));
}

/** Reads a value; 64-bit numbers are strings in JSON and in the decoder's result. */
function readValue(value: Value): string | number {
  if (value.intValue !== undefined && value.intValue !== null) return Number(value.intValue);
  return value.stringValue ?? `not a string: ${JSON.stringify(value)}`;
}
