import type { BlockMarkEvent } from '../contract/event.ts';
import type { WordsMark } from '../contract/mcp/aliasWords.ts';
import type { NamesMark } from '../contract/shellNames.ts';
import { cleanLine } from './cleanText.ts';
import { decodeBase64Text, decodeLenient, parseExitStatus, parseFields } from './decodeFields.ts';
import { NONCE_BYTES } from './masks/NonceMask.ts';
import { parseShellWords } from './parseShellWords.ts';

const NUMBER = latin1('7717;');
const NAMES = ['BLOCK_BEGIN', 'BLOCK_END', 'PROMPT'] as const;
type MarkerName = (typeof NAMES)[number];
const NAMES_AS_BYTES = NAMES.map(latin1);

/** `ESC ]` or U+009D, and the number: how far behind the introducer the nonce stands. */
export const NONCE_AT_BYTES = 2 + NUMBER.length;
const NAME_AT = NUMBER.length + NONCE_BYTES + 1;

/** Longer than a hook's name for itself and a shell's version need to be. */
const MAX_WORD_CHARS = 64;

/**
 * Is this OSC one of our markers? `open`: it may still become one. `marker`: it is, by number, nonce and name. `spoof`: it has
 * our number, but no nonce stood there. `other`: anything else, also a name that only a later hook knows.
 */
export type MarkerVerdict = 'open' | 'marker' | 'spoof' | 'other';

/** `payload` is what of the OSC has come so far, `hasNonce` whether the shell's own nonce stood behind the number. */
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

/** What there is of `payload` from `at` on agrees with `word`, as far as both go. */
function startsLike(payload: Uint8Array, word: Uint8Array, at: number): boolean {
  const length = Math.min(word.length, payload.length - at);
  for (let i = 0; i < length; i++) if (payload[at + i] !== word[i]) return false;
  return true;
}

function endsAt(payload: Uint8Array, at: number, isComplete: boolean): boolean {
  return payload.length === at ? isComplete : payload[at] === SEMICOLON;
}

/**
 * The event of a marker that was judged to be one. `isCut`: the payload was too long to be kept whole, and its text is then
 * not known. What a field says wrongly (base64, NUL, malformed UTF-8, a status that is no number) is null, never guessed.
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

/** `words` names what the shell's words are; `words_b64` tells them, when they are not what was told last. */
function wordsMark(fields: Map<string, string>): { words?: WordsMark } {
  const id = word(fields, 'words');
  if (id === null) return {};
  if (!fields.has('words_b64')) return { words: { id } };
  const told = text(fields, 'words_b64');
  return { words: { id, words: told === null ? null : parseShellWords(told) } };
}

/** `names` says which report of the shell's commands holds; `path` and `known` are the report, when it is another one than before. */
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

/** `name: n` when the field is a number of at most nine digits, else nothing. */
function number<Name extends string>(
  fields: ReadonlyMap<string, string>,
  key: string,
  name: Name,
): { [_ in Name]?: number } {
  const digits = fields.get(key) ?? '';
  return /^(0|[1-9]\d{0,8})$/.test(digits) ? ({ [name]: Number(digits) } as { [_ in Name]?: number }) : {};
}
