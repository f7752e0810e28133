import { isUtf8 } from 'node:buffer';
import type { CutLine } from '../protocol/LineCutter.ts';

export type MessageId = string | number;
export type Fields = Readonly<Record<string, unknown>>;

interface Line {
  /** As it came, without its end: what is passed on is these bytes. */
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
/** `fields` and `result` of one of the app are read when they are asked for: most are passed on by their id alone. */
export interface Response extends Line {
  readonly kind: 'response';
  readonly id: MessageId;
  /** Null when it is an error. */
  readonly result: Fields | null;
}
export type Message = Request | Notification | Response;
/** What is no message. `reply` is the JSON-RPC error that says so. */
export interface BadLine {
  readonly kind: 'bad';
  readonly reply: object;
}

/** JSON-RPC 2.0 §5.1. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
/** No call of ours nests deeper than ten; readers behind us recurse, and a stack that overflows would answer nobody. */
const MAX_DEPTH = 128;

/**
 * What a line says. Refuses what the SDK's readers would drop without a word (unknown members, `_meta` that is no object, ids that are
 * no ids): whoever sent it would wait for an answer for ever. Never throws.
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

/** The same of a line of the app, which is believed to keep to the protocol; null for what is no message. */
export function readAppMessage(line: CutLine): Message | null {
  if (line.type === 'too-long') return null;
  const id = idOfResult(line.bytes);
  if (id !== null) return new ResultLine(id, line.bytes);
  try {
    const message = asMessage(JSON.parse(line.bytes.toString()), line.bytes);
    return message.kind === 'bad' ? null : message;
  } catch {
    return null; // told by who asked
  }
}

/** A result of the app of which only the id is known yet. */
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
 * The id of a result as the app's serializer writes it, found without reading what stands between; null for every other line. In a line
 * that is JSON nothing else can look like that: the quotes of the end have no backslash before them, so the last brace is the line's own.
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
 * The id of a request of which only the ends are known, or null: there where the usual serializers put it, and only where it cannot be
 * inside of anything else, nor belong to an answer: second and before the method, or last while the method is first.
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
/** Of `[` and `{`, and of `]` and `}`: they differ in this one bit. */
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
