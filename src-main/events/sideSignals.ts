import { cleanLine, MAX_TITLE_CHARS } from '../util/cleanText.ts';
import { decodeBase64, decodeExact, decodeLenient, decodePercent, parseFields } from './decodeFields.ts';

/** PATH_MAX of Linux, in characters; a longer path cannot be entered. */
const MAX_PATH_CHARS = 4096;
/** `state=working:app=name` and the like. */
const MAX_STATUS_BYTES = 512;
const MAX_CLIPBOARD_TEXT_BYTES = 1024 * 1024;

export type CwdSource = 'OSC 7' | 'OSC 9;9' | 'OSC 1337' | 'OSC 633';

/** The content of an OSC other than commands and prompts. Its text is cleaned, but unverified. */
export type SideSignal =
  | { type: 'title'; title: string }
  | { type: 'cwd'; path: string; by: CwdSource }
  | { type: 'remoteHost'; host: string }
  | { type: 'progress'; state: 'none' | 'normal' | 'error' | 'indeterminate' | 'paused'; percent: number | null }
  | { type: 'notification'; title: string | null; body: string }
  | { type: 'agentStatus'; body: string }
  | { type: 'clipboardWrite'; text: string };

/** `number` is the OSC's, `body` follows its `;`. Null if the OSC is irrelevant or malformed. */
export function parseSideSignal(number: number, body: Uint8Array): SideSignal | null {
  switch (number) {
    case 0:
    case 2:
      return { type: 'title', title: cleanLine(decodeLenient(body.subarray(0, MAX_TITLE_CHARS * 8))) };
    case 7:
      return parseFileUrl(decodeLenient(body));
    case 9:
      return parseOsc9(decodeLenient(body));
    case 52:
      return parseClipboard(body);
    case 777:
      return parseOsc777(decodeLenient(body));
    case 7501:
      return { type: 'agentStatus', body: cleanLine(decodeLenient(body.subarray(0, MAX_STATUS_BYTES))) };
    case 1337:
      return parseOsc1337(decodeLenient(body));
    default:
      return null;
  }
}

/** A path as a working directory: absolute (POSIX or with a drive letter), without control characters, of sane length. Else null. */
export function cwdSignal(path: string | null, by: CwdSource): SideSignal | null {
  if (path === null || path.length > MAX_PATH_CHARS || path !== cleanLine(path, MAX_PATH_CHARS)) return null;
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path) ? { type: 'cwd', path, by } : null;
}

const FILE_URL = /^(?:file|kitty-shell-cwd):\/\/([^/]*)(\/.*)$/s;

/** OSC 7. The caller has to compare the host: see `fileUrlHost`. */
function parseFileUrl(url: string): SideSignal | null {
  const path = FILE_URL.exec(url)?.[2];
  if (path === undefined) return null;
  const decoded = url.startsWith('kitty') ? path : decodePercent(path);
  return cwdSignal(decoded?.replace(/^\/(?=[A-Za-z]:)/, '') ?? null, 'OSC 7');
}

/** The host part of an OSC 7 body; '' without one. */
export function fileUrlHost(body: Uint8Array): string {
  return FILE_URL.exec(decodeLenient(body))?.[1] ?? '';
}

const PROGRESS_STATES = ['none', 'normal', 'error', 'indeterminate', 'paused'] as const;

/** 9;4 and 9;9 are tested first: 9 alone is a notification, and 9;<other number> is a ConEmu command that we ignore. */
function parseOsc9(body: string): SideSignal | null {
  const [first, second, third] = body.split(';');
  if (first === '4') return parseProgress(second ?? '', third ?? '');
  if (first === '9') return cwdSignal(body.slice(2).replace(/^"(.*)"$/s, '$1'), 'OSC 9;9');
  if (/^\d{1,2}$/.test(first ?? '')) return null;
  return notification(null, body);
}

function parseProgress(state: string, percent: string): SideSignal | null {
  const name = PROGRESS_STATES[/^[0-4]$/.test(state) ? Number(state) : -1];
  if (!name) return null;
  const value = /^\d{1,3}$/.test(percent) ? Math.min(Number(percent), 100) : null;
  return { type: 'progress', state: name, percent: name === 'none' || name === 'indeterminate' ? null : value };
}

function parseOsc777(body: string): SideSignal | null {
  const [verb, title, ...rest] = body.split(';');
  return verb === 'notify' ? notification(title ?? '', rest.join(';')) : null;
}

function parseOsc1337(body: string): SideSignal | null {
  if (body.startsWith('CurrentDir=')) return cwdSignal(body.slice('CurrentDir='.length), 'OSC 1337');
  const host = /^RemoteHost=(?:[^@]*@)?(.*)$/s.exec(body)?.[1];
  return host === undefined ? null : { type: 'remoteHost', host: cleanLine(host, 255) };
}

/** A notification that contains text, or null. */
export function notification(title: string | null, body: string): SideSignal | null {
  const cleanTitle = title === null ? null : cleanLine(title) || null;
  const cleanBody = cleanLine(body);
  if (cleanBody === '') return cleanTitle === null ? null : { type: 'notification', title: null, body: cleanTitle };
  return { type: 'notification', title: cleanTitle, body: cleanBody };
}

/** OSC 52: `<targets>;<base64>`. `?` asks for the clipboard and is not a signal; '' would clear it, which we do not support. */
function parseClipboard(body: Uint8Array): SideSignal | null {
  const at = body.indexOf(0x3b);
  if (at < 0) return null;
  const base64 = decodeLenient(body.subarray(at + 1));
  const bytes = decodeBase64(base64) ?? decodeBase64(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='));
  if (bytes === null || bytes.length === 0 || bytes.length > MAX_CLIPBOARD_TEXT_BYTES) return null;
  const text = decodeExact(bytes);
  return text === null ? null : { type: 'clipboardWrite', text };
}

/** Pieces of an OSC 99 notification that announced more to come; kitty's own limits are larger. */
export interface NotificationDraft {
  id: string;
  title: string;
  body: string;
}

/** OSC 99: `<options>;<text>`, in pieces while `d=0`. Returns the draft to keep for the next piece, or what is complete. */
export function parseOsc99(
  body: string,
  draft: NotificationDraft | null,
): { draft: NotificationDraft | null; signal: SideSignal | null } {
  const at = body.indexOf(';');
  if (at < 0) return { draft, signal: null };
  const options = parseFields(body.slice(0, at).split(':'));
  const kind = options.get('p') ?? 'title';
  if (kind !== 'title' && kind !== 'body') return { draft, signal: null };
  const id = options.get('i') ?? '';
  const encoded = body.slice(at + 1);
  const piece = options.get('e') === '1' ? decodeLenient(decodeBase64(encoded) ?? new Uint8Array(0)) : encoded;
  const started = draft?.id === id ? draft : { id, title: '', body: '' };
  const grown = { ...started, [kind]: (started[kind] + piece).slice(0, MAX_TITLE_CHARS) };
  if (options.get('d') === '0') return { draft: grown, signal: null };
  return { draft: null, signal: notification(grown.title, grown.body) };
}
