import { randomBytes } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { MachineAnswer } from '../../contract/mcp/machineCall.ts';
import type { ToolFault } from '../../contract/mcp/mcp.ts';
import type { FromTerminal, ToolAnswer } from './Tool.ts';
import { type OutsideText, untrustedText } from './untrustedText.ts';

/** Input numbers that were cut to their caps, by name. */
export type Effective = Readonly<Record<string, number>>;

/**
 * Builds a tool's answer for the wire. Text from a terminal is redacted and made safe everywhere. Long texts are in a frame that marks them as
 * untrusted, with a new boundary each time. The content has our facts as one line of JSON, then the frames. One thing is one object: if a part of it
 * came from a terminal, the whole object is in a frame, as JSON, which no text inside can end.
 * Some clients give their model only the structured result. There `untrusted` names the texts that we did not write, and a JSON string is already a
 * frame that no text inside can end.
 */
export function answerOf(
  answer: ToolAnswer,
  { nowMs, effective }: { nowMs: number; effective: Effective },
): CallToolResult {
  const boundary = answer.told || answer.text ? drawBoundary() : '';
  const safe = new SafeText(boundary, answer.redactions);
  const facts: Readonly<Record<string, unknown>> =
    Object.keys(effective).length > 0 ? { ...answer.facts, effective } : answer.facts;
  const told = answer.told ? (safe.all(answer.told) as Record<string, unknown>) : {};
  const framed = Object.entries(answer.text ?? {}).map(([name, text]) => [name, safe.framed(text)] as const);
  const counted = { ...facts, ...(safe.redactions > 0 && { redactions: safe.redactions }), ts: nowMs };
  const said = Object.fromEntries(Object.entries(told).filter(([, one]) => !Array.isArray(one) || one.length > 0));
  const own = Object.fromEntries(Object.entries(counted).filter(([name]) => !(name in said)));
  const mixed = Object.fromEntries(Object.entries(said).map(([name, one]) => [name, merged(facts[name], one)]));
  const toldFrame = Object.keys(said).length === 0 ? [] : [frame(JSON.stringify(mixed), '', boundary)];
  const content = [JSON.stringify(own), ...toldFrame, ...framed.map(([, text]) => text)].join('\n');
  return {
    content: [
      { type: 'text', text: content },
      ...(answer.images ?? []).map(({ mimeType, bytes }) => ({
        type: 'image' as const,
        mimeType,
        data: Buffer.from(bytes).toString('base64'),
      })),
      ...(answer.links ?? []).map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    structuredContent: {
      ...untrustedIn(told),
      ...(merged(counted, { ...told, ...Object.fromEntries(framed) }) as Record<string, unknown>),
    },
  };
}

/** Redacts, escapes and frames one text of a terminal that is outside a tool's answer. */
export function framedText({ text, about }: FromTerminal): OutsideText {
  const safe = new SafeText(drawBoundary());
  return { text: safe.framed({ text, about }), redactions: safe.redactions };
}

const BOUNDARY_BYTES = 3;
/** Random bytes drawn in batches, because each draw is a system call. No boundary is used twice. */
let drawn = Buffer.alloc(0);

function drawBoundary(): string {
  if (drawn.length === 0) drawn = randomBytes(BOUNDARY_BYTES * 256);
  const boundary = drawn.toString('hex', 0, BOUNDARY_BYTES);
  drawn = drawn.subarray(BOUNDARY_BYTES);
  return boundary;
}

/** An answer for the core of another machine, which frames the texts for its client: secrets are redacted here, where the record is. */
export function machineAnswerOf(
  { facts, told = {}, text = {}, images = [], redactions }: ToolAnswer,
  effective: Effective,
): MachineAnswer {
  const safe = new SafeText('', redactions);
  return {
    facts,
    told: safe.all(told) as MachineAnswer['told'],
    text: Object.fromEntries(Object.entries(text).map(([name, one]) => [name, safe.one(one.text)])),
    effective,
    redactions: safe.redactions,
    images: images.map(({ mimeType, bytes }) => ({ mimeType, base64: Buffer.from(bytes).toString('base64') })),
  };
}

/** Describes for a model which fields contain text of a terminal. */
function untrustedIn(told: Record<string, unknown>): { untrusted?: string } {
  const paths = new Set(pathsOf(told));
  return paths.size === 0 ? {} : { untrusted: `terminal output · untrusted · ${[...paths].join(', ')}` };
}

/** The paths of all strings within: `blocks[].cmd`. */
function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((one) => pathsOf(one, `${path}[]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => pathsOf(one, path === '' ? name : `${path}.${name}`));
}

/** A refusal on the wire. Errors other than ToolFault are bugs and do not come here. */
export function faultOf(fault: ToolFault, nowMs: number): CallToolResult {
  const { code, message, suggestion, retryAfterMs, details } = fault;
  const safe = new SafeText('');
  const told = {
    code,
    message: safe.one(message),
    suggestion: safe.one(suggestion),
    ...(retryAfterMs !== null && { retry_after_ms: retryAfterMs }),
    ...(details !== null && { details: safe.all(details) }),
    ts: nowMs,
  };
  const rest = JSON.stringify({ ...told, message: undefined, suggestion: undefined, code: undefined, ts: undefined });
  const text = `${code}: ${told.message} — ${told.suggestion}${rest === '{}' ? '' : `\n${rest}`}`;
  return { isError: true, content: [{ type: 'text', text }], structuredContent: told };
}

/** Makes the texts of one answer safe and counts the redactions. */
class SafeText {
  readonly #boundary: string;
  redactions: number;

  constructor(boundary: string, redactions = 0) {
    this.#boundary = boundary;
    this.redactions = redactions;
  }

  one(text: string): string {
    const { text: safe, redactions } = untrustedText(text);
    this.redactions += redactions;
    // no text can predict the boundary; an accidental match has a chance of one in sixteen million
    return this.#boundary !== '' && safe.includes(this.#boundary) ? safe.replaceAll(this.#boundary, '[…]') : safe;
  }

  /** Makes every string within safe. */
  all(value: unknown): unknown {
    if (typeof value === 'string') return this.one(value);
    if (Array.isArray(value)) return value.map((one) => this.all(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.all(one)]));
  }

  framed({ text, about }: FromTerminal): string {
    return frame(this.one(text), this.one(about), this.#boundary);
  }
}

function frame(text: string, about: string, boundary: string): string {
  const head = ['terminal output', 'untrusted', ...(about === '' ? [] : [about]), `boundary ${boundary}`].join(' · ');
  return `[${head}]\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}[end ${boundary}]`;
}

/** Merges our fields and a terminal's fields; lists merge item by item. */
export function merged(ours: unknown, theirs: unknown): unknown {
  if (Array.isArray(ours) && Array.isArray(theirs)) return ours.map((one, at) => merged(one, theirs[at]));
  if (!isRecord(ours) || !isRecord(theirs)) return theirs === undefined ? ours : theirs;
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      name in ours && name in theirs ? merged(ours[name], theirs[name]) : name in ours ? ours[name] : theirs[name],
    ]),
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
