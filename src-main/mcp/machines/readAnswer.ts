import { z } from 'zod';
import type { MachineView } from '../../contract/machines.ts';
import { onMachine } from '../../shared/machineIds.ts';
import { isRecord, merged } from '../protocol/answers.ts';
import type { ToolAnswer } from '../protocol/Tool.ts';

/** Above the limits of a tool's answer. */
const MAX_TEXT_CHARS = 2 * 1024 * 1024;
const MAX_IMAGE_CHARS = 8 * 1024 * 1024;
const MAX_VALUES = 100_000;
const MAX_DEPTH = 20;

const Fields = z.record(z.string(), z.unknown());
const Count = z.number().finite();
const Answer = z.object({
  ...{ facts: Fields, told: Fields, text: z.record(z.string(), z.string()), effective: z.record(z.string(), Count) },
  redactions: z.int().min(0).max(1_000_000),
  images: z
    .array(z.object({ mimeType: z.literal('image/png'), base64: z.string().max(MAX_IMAGE_CHARS) }))
    .max(4)
    .readonly(),
});

/** Fields with ids of terminals or parts of their record. Each gets the machine's name, so an id can never refer to this or a third machine. */
const IDS = new Set([
  ...['pty_id', 'block_id', 'chat_id', 'active_block_id', 'pending_block_id', 'app_focused_pty', 'own'],
]);
const ID = /^(?!on-)[A-Za-z0-9_-]{1,53}(?:\.[A-Za-z0-9_-]{1,64})?$/;
/**
 * Fields to drop: resources and next steps apply only to the machine that sent them, its statement about our identity does not count, and the fields
 * around an answer (host, untrusted texts, number of redactions) are set here.
 */
const LEFT_OUT = new Set([
  ...['next', 'resource', 'uri', 'inbox', 'channel', 'is_caller_pty', 'caller_pty_id'],
  ...['host', 'hosts', 'hosts_silent', 'untrusted', 'redactions', 'effective'],
]);
const NAME = /^[A-Za-z][\w.]{0,63}$/;
/** An id, a state or a number as text: too short to carry a message. Everything else is text. */
const WORD = /^[\w.:+/=-]{0,80}$/;
const BASE64 = /^[A-Za-z0-9+/=]*$/;

/**
 * Turns another machine's answer into one of ours: limited in size, with ids as this machine's clients see them, and with everything longer than a
 * word marked as untrusted text. Null if it is malformed or too large.
 */
export function readAnswer(value: unknown, { key, name }: Pick<MachineView, 'key' | 'name'>): ToolAnswer | null {
  const read = Answer.safeParse(value);
  if (!read.success || !fits(read.data)) return null;
  const { facts, told, text, effective, redactions, images } = read.data;
  const split = splitWords(renamed(key, facts));
  const rest = merged(split.text ?? {}, renamed(key, told)) as Record<string, unknown>;
  const about = `host ${name}`;
  return {
    facts: { ...(split.word as Record<string, unknown>), host: name },
    told: rest,
    text: Object.fromEntries(
      Object.entries(text).flatMap(([field, one]) =>
        isTaken(field) && !IDS.has(field) ? [[field, { text: one, about }]] : [],
      ),
    ),
    effective: Object.fromEntries(Object.entries(effective).filter(([field]) => NAME.test(field))),
    redactions,
    images: images.map(({ mimeType, base64 }) => ({ mimeType, bytes: Buffer.from(base64, 'base64') })),
  };
}

function fits({ facts, told, text }: z.infer<typeof Answer>): boolean {
  let left = MAX_VALUES;
  let room = MAX_TEXT_CHARS;
  const take = (value: unknown, depth: number): boolean => {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH) return false;
    if (typeof value === 'string') room -= value.length;
    if (room < 0) return false;
    if (typeof value !== 'object' || value === null) return true;
    return Object.values(value).every((one) => take(one, depth + 1));
  };
  return [facts, told, text].every((part) => take(part, 0));
}

function renamed(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(key, one));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([name]) => isTaken(name));
  return Object.fromEntries(
    entries.map(([name, one]) => [name, IDS.has(name) ? idThere(key, one) : renamed(key, one)]),
  );
}

function isTaken(name: string): boolean {
  return NAME.test(name) && !LEFT_OUT.has(name);
}

function idThere(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => idThere(key, one));
  return typeof value === 'string' && ID.test(value) ? onMachine(key, value) : null;
}

/** Splits a value in two: one without text, one with text only. List items keep their index in both. */
function splitWords(value: unknown, name = ''): { word?: unknown; text?: unknown } {
  if (typeof value === 'string') return isWord(value, name) ? { word: value } : { text: value };
  if (Array.isArray(value)) {
    if (!value.some(isRecord)) return isAllWords(value) ? { word: value } : { text: value };
    const parts = value.map((one) => splitWords(one));
    const hasText = parts.some(({ text }) => text !== undefined);
    return { word: parts.map(({ word = null }) => word), ...(hasText && { text: parts.map(({ text = {} }) => text) }) };
  }
  if (!isRecord(value)) return { word: value };
  const parts = Object.entries(value).map(([field, one]) => [field, splitWords(one, field)] as const);
  const words = parts.flatMap(([field, { word }]) => (word === undefined ? [] : [[field, word]]));
  const texts = parts.flatMap(([field, { text }]) => (text === undefined ? [] : [[field, text]]));
  return { word: Object.fromEntries(words), ...(texts.length > 0 && { text: Object.fromEntries(texts) }) };
}

function isAllWords(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isAllWords);
  return typeof value === 'string' ? WORD.test(value) : !isRecord(value);
}

function isWord(value: string, name: string): boolean {
  return WORD.test(value) || (name.endsWith('_b64') && BASE64.test(value));
}
