import type { BlockMarkEvent } from '../contract/event.ts';
import type { WordsMark } from '../contract/mcp/aliasWords.ts';
import type { NamesMark } from '../contract/shellNames.ts';
import { cleanLine } from '../util/cleanText.ts';
import { decodeBase64Text, decodeLenient, parseExitStatus, parseFields } from './decodeFields.ts';
import { NONCE_BYTES } from './masks/NonceMask.ts';
import { parseShellWords } from './parseShellWords.ts';

const NUMBER = latin1('7717;');
const NAMES = ['BLOCK_BEGIN', 'BLOCK_END', 'PROMPT'] as const;
type MarkerName = (typeof NAMES)[number];
const NAMES_AS_BYTES = NAMES.map(latin1);

/** `ESC ]` or U+009D, and the number: the offset of the nonce after the introducer. */
export const NONCE_AT_BYTES = 2 + NUMBER.length;
const NAME_AT = NUMBER.length + NONCE_BYTES + 1;

/** Longer than any hook's name and shell version. */
const MAX_WORD_CHARS = 64;

/**
 * Whether this OSC is one of our markers. `open`: it may still become one. `marker`: number, nonce and name are right. `spoof`: our number without
 * the nonce. `other`: anything else, including a name that only a later hook knows.
 */
export type MarkerVerdict = 'open' | 'marker' | 'spoof' | 'other';

/** `payload` is the OSC so far, `hasNonce` whether the shell's own nonce follows the number. */
export function judgeMarker(payload: Uint8Array, hasNonce: boolean, isComplete: boolean): MarkerVerdict {
  if (!startsLike(payload, NUMBER, 0)) return 'other';
  if (payload.length < NUMBER.length) return isComplete ? 'other' : 'open';
  if (payload.length < NUMBER.length + NONCE_BYTES) return isComplete ? 'spoof' : 'open';
  if (!hasNonce) return 'spoof';
  if (payload.length >= NAME_AT && payload[NAME_AT - 1] !== SEMICOLON) return 'other';
  const names = NAMES_AS_BYTES.filter((name) => startsLike(payload, name, NAME_AT));
  const isNamed = names.some((name) => endsAt(payload, NAME_AT + name.length, isComplete));
  if (isNamed) return 'marker';
  return isComplete || names.length === 0 || payload.length > NAME_AT + LONGEST_NAME ? 'other' : 'open';
}

const SEMICOLON = 0x3b;
const LONGEST_NAME = Math.max(...NAMES.map((name) => name.length));

function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Whether `payload` from `at` agrees with `word` as far as both extend. */
function startsLike(payload: Uint8Array, word: Uint8Array, at: number): boolean {
  const length = Math.min(word.length, payload.length - at);
  for (let i = 0; i < length; i++) if (payload[at + i] !== word[i]) return false;
  return true;
}

function endsAt(payload: Uint8Array, at: number, isComplete: boolean): boolean {
  return payload.length === at ? isComplete : payload[at] === SEMICOLON;
}

/**
 * The event of a verified marker. `isCut`: the payload was too long to keep, so its text is unknown. An invalid field (base64, NUL, malformed UTF-8,
 * a non-numeric status) is null, never guessed.
 */
export function parseBlockMarker(
  payload: Uint8Array,
  span: { at: number; end: number; isCut: boolean },
): BlockMarkEvent {
  const [name, ...parts] = decodeLenient(payload.subarray(NAME_AT)).split(';');
  const fields = parseFields(span.isCut ? parts.slice(0, -1) : parts);
  const mark = { at: span.at, end: span.end, trusted: true, by: 'hook' } as const;
  const cwd = text(fields, 'cwd_b64');
  switch (name as MarkerName) {
    case 'BLOCK_BEGIN': {
      const joined = text(fields, 'joined_b64');
      const continuation = text(fields, 'ps2_b64');
      return {
        type: 'begin',
        ...mark,
        cmd: text(fields, 'cmd_b64'),
        ...(joined !== null && { joined }),
        ...(continuation !== null && { continuation }),
        cwd,
        ignoresSpace: fields.get('nohist') === '1',
        ...(fields.get('lead') === '1' && { hasLead: true }),
        ...number(fields, 'lines', 'lines'),
        ...number(fields, 'seq', 'count'),
      };
    }
    case 'BLOCK_END':
      return {
        type: 'end',
        ...mark,
        exitCode: parseExitStatus(fields.get('exit')),
        ...number(fields, 'seq', 'count'),
      };
    case 'PROMPT': {
      const degraded = text(fields, 'degraded');
      return {
        type: 'prompt',
        ...mark,
        cwd,
        shell: word(fields, 'shell'),
        version: word(fields, 'version'),
        degraded: degraded === null ? null : cleanLine(degraded),
        ...wordsMark(fields),
        ...namesMark(fields),
      };
    }
  }
}

/** `words` is the id of the shell's words; `words_b64` contains them if they changed since the last report. */
function wordsMark(fields: Map<string, string>): { words?: WordsMark } {
  const id = word(fields, 'words');
  if (id === null) return {};
  if (!fields.has('words_b64')) return { words: { id } };
  const told = text(fields, 'words_b64');
  return { words: { id, words: told === null ? null : parseShellWords(told) } };
}

/** `names` is the id of the current report of the shell's commands; `path` and `known` are the report, if it changed. */
function namesMark(fields: Map<string, string>): { names?: NamesMark } {
  const id = word(fields, 'names');
  if (id === null) return {};
  const known = fields.get('known');
  if (known === undefined) return { names: { id } };
  const names = known.split(',').filter(Boolean);
  const suffixes = names.filter((name) => name.startsWith('*.')).map((name) => name.slice(2));
  const path = fields.get('path');
  return {
    names: {
      id,
      names: path ? { pid: Number.parseInt(id, 10), path, known: new Set(names), suffixes: new Set(suffixes) } : null,
    },
  };
}

function text(fields: Map<string, string>, key: string): string | null {
  const value = fields.get(key);
  return value ? decodeBase64Text(value) : null;
}

function word(fields: Map<string, string>, key: string): string | null {
  const value = fields.get(key);
  return value ? cleanLine(value, MAX_WORD_CHARS) : null;
}

/** `name: n` if the field is a number of at most nine digits, else nothing. */
function number<Name extends string>(
  fields: ReadonlyMap<string, string>,
  key: string,
  name: Name,
): { [_ in Name]?: number } {
  const digits = fields.get(key) ?? '';
  return /^(0|[1-9]\d{0,8})$/.test(digits) ? ({ [name]: Number(digits) } as { [_ in Name]?: number }) : {};
}
