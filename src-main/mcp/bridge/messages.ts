import { isUtf8 } from 'node:buffer';
import type { CutLine } from '../protocol/LineCutter.ts';

export type MessageId = string | number;
export type Fields = Readonly<Record<string, unknown>>;

interface Line {
  /** The original bytes without the line end; they are passed on. */
  readonly bytes: Uint8Array;
  readonly fields: Fields;
}
export interface Request extends Line {
  readonly kind: 'request';
  readonly id: MessageId;
  readonly method: string;
  readonly params: Fields;
}
export interface Notification extends Line {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Fields;
}
/** `fields` and `result` of an app's response are parsed on demand: most responses are passed on by id alone. */
export interface Response extends Line {
  readonly kind: 'response';
  readonly id: MessageId;
  /** Null for an error. */
  readonly result: Fields | null;
}
export type Message = Request | Notification | Response;
/** A line that is not a message. `reply` is the JSON-RPC error for it. */
export interface BadLine {
  readonly kind: 'bad';
  readonly reply: object;
}

/** JSON-RPC 2.0 §5.1. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
/** Our calls nest at most ten deep; later readers recurse, and an overflowing stack would leave requests unanswered. */
const MAX_DEPTH = 128;

/**
 * Parses a line. Refuses lines that the SDK's readers would drop silently (unknown members, a `_meta` or an id of the wrong type): their sender would
 * wait for an answer forever. Never throws.
 */
export function readMessage(line: CutLine): Message | BadLine {
  if (line.type === 'too-long') {
    return bad(INVALID_REQUEST, 'Message too large: a line may have 10,000,000 bytes', idAtTheEnds(line));
  }
  const { bytes } = line;
  if (!isUtf8(bytes)) return bad(PARSE_ERROR, 'Parse error: the line is not UTF-8');
  if (isTooDeep(bytes)) return bad(INVALID_REQUEST, `Invalid Request: nested deeper than ${MAX_DEPTH}`);
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString());
  } catch {
    return bad(PARSE_ERROR, 'Parse error: the line is not JSON');
  }
  return asMessage(json, bytes);
}

/** The same for a line of the app, which is trusted to follow the protocol; null if it is not a message. */
export function readAppMessage(line: CutLine): Message | null {
  if (line.type === 'too-long') return null;
  const id = idOfResult(line.bytes);
  if (id !== null) return new ResultLine(id, line.bytes);
  try {
    const message = asMessage(JSON.parse(line.bytes.toString()), line.bytes);
    return message.kind === 'bad' ? null : message;
  } catch {
    return null; // the caller reports it
  }
}

/** A result of the app of which only the id is parsed so far. */
class ResultLine implements Response {
  readonly kind = 'response';
  readonly id: MessageId;
  readonly bytes: Buffer;

  constructor(id: MessageId, bytes: Buffer) {
    this.id = id;
    this.bytes = bytes;
  }

  get fields(): Fields {
    return JSON.parse(this.bytes.toString()) as Fields;
  }

  get result(): Fields | null {
    return asFields(this.fields.result);
  }
}

/**
 * The id of a result in the form that the app's serializer writes, found without parsing the middle; null for every other line. In valid JSON nothing
 * else can match: the quotes at the end have no backslash before them, so the last brace is the line's own.
 */
function idOfResult(bytes: Buffer): MessageId | null {
  if (
    bytes.length < RESULT_HEAD.length ||
    bytes.compare(RESULT_HEAD, 0, RESULT_HEAD.length, 0, RESULT_HEAD.length) !== 0
  )
    return null;
  const found = RESULT_TAIL.exec(
    bytes.toString('latin1', Math.max(RESULT_HEAD.length, bytes.length - MAX_RESULT_TAIL)),
  )?.[1];
  return found === undefined ? null : (JSON.parse(found) as MessageId);
}

const RESULT_HEAD = Buffer.from('{"result":{');
const RESULT_TAIL = /\},"jsonrpc":"2\.0","id":(-?(?:0|[1-9]\d{0,14})|"[\w:./-]{0,64}")\}$/;
const MAX_RESULT_TAIL = 128;

function asMessage(json: unknown, bytes: Uint8Array): Message | BadLine {
  const fields = asFields(json);
  if (!fields) return bad(INVALID_REQUEST, 'Invalid Request: a message is a JSON object; batches are not part of MCP');
  const { jsonrpc, id, method, params, result, error } = fields;
  const invalid = (why: string): BadLine => bad(INVALID_REQUEST, `Invalid Request: ${why}`, isId(id) ? id : null);
  if (jsonrpc !== '2.0') return invalid('"jsonrpc" must be "2.0"');
  if (id !== undefined && !isId(id)) return invalid('"id" must be a string or a whole number');
  if (typeof method !== 'string') {
    const outcome = asFields(result);
    if (isId(id) && (outcome || asFields(error))) return { kind: 'response', id, result: outcome, fields, bytes };
    return invalid('it has no "method"');
  }
  const stranger = Object.keys(fields).find((key) => !MEMBERS.has(key));
  if (stranger !== undefined) return invalid(`unknown member "${stranger.slice(0, 64)}"`);
  const known = params === undefined ? {} : asFields(params);
  if (!known) return invalid('"params" must be an object');
  if (!isMeta(known._meta)) return invalid('"_meta" is not as the protocol has it');
  if (id === undefined) return { kind: 'notification', method, params: known, fields, bytes };
  return { kind: 'request', id, method, params: known, fields, bytes };
}

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);

/** The version that a message of the stateless era names in its own `_meta`; null for one of the era with a handshake. */
export function claimedVersion({ params }: { params: Fields }): string | null {
  const version = asFields(params._meta)?.['io.modelcontextprotocol/protocolVersion'];
  return typeof version === 'string' ? version : null;
}

export function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  const fields = asFields(meta);
  if (!fields) return false;
  const task = fields['io.modelcontextprotocol/related-task'];
  const { progressToken } = fields;
  return (
    (progressToken === undefined || isId(progressToken)) &&
    (task === undefined || typeof asFields(task)?.taskId === 'string')
  );
}

function bad(code: number, message: string, id: MessageId | null = null): BadLine {
  return { kind: 'bad', reply: { jsonrpc: '2.0', id, error: { code, message } } };
}

/**
 * The id of a request of which only the ends are known, or null. Accepts the id only where the usual serializers put it and where it cannot be nested
 * or belong to an answer: second and before the method, or last if the method is first.
 */
function idAtTheEnds({ head, tail }: { head: string; tail: string }): MessageId | null {
  const found = SECOND.exec(head)?.[1] ?? (/^\s*\{\s*"method"\s*:/.test(head) ? LAST.exec(tail)?.[1] : undefined);
  return found === undefined ? null : (JSON.parse(found) as MessageId);
}

const ID = '"id"\\s*:\\s*(-?\\d{1,15}|"[\\w:./-]{0,128}")\\s*';
const SECOND = new RegExp(`^\\s*\\{\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*${ID},\\s*"method"`);
const LAST = new RegExp(`,\\s*${ID}\\}\\s*$`);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** For `[` and `{`, and for `]` and `}`: the one bit in which they differ. */
const BRACKET_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

function isTooDeep(bytes: Uint8Array): boolean {
  if (bytes.length <= MAX_DEPTH) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if ((byte | BRACKET_BIT) === OPENING) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if ((byte | BRACKET_BIT) === CLOSING) depth -= 1;
  }
  return false;
}
