import { ToolFault } from '../../contract/mcp/mcp.ts';
import { encodePaste, sanitizePaste } from '../../pty/sanitizePaste.ts';
import type { ScreenInput } from '../../screen/rows/promptText.ts';
import { keyBytes, keySuggestions } from './keyNames.ts';
import { type MouseSpec, mouseBytes } from './mouseBytes.ts';

/** Exactly one of text, keys, paste and mouse. */
export interface InputRequest {
  readonly terminalId: string;
  readonly leaseId: string;
  readonly text?: string;
  readonly keys?: readonly string[];
  readonly paste?: string;
  readonly mouse?: MouseSpec;
  /** Append Return to text or paste. */
  readonly submit?: boolean;
  /** Sent only while the screen is at this frame. */
  readonly ifSeq?: number;
  readonly ifEpoch?: string;
  /** Sent only while the screen's text matches. */
  readonly ifScreenMatches?: string;
  /** How long to watch for the effect. */
  readonly wait?: { readonly stableMs?: number; readonly timeoutMs?: number };
}

export interface SendResult {
  readonly bytesWritten: number;
  readonly seqBefore: number;
  readonly seqAfter: number;
  readonly epoch: string;
  /** null if unknown. */
  readonly accepted: boolean | null;
  readonly evidence: 'input_line_cleared' | 'turn_started' | 'screen_changed' | 'none';
}

/** Control characters except LF and TAB: in a text they would be keys. */
const KEYS_IN_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cs}/u;

/** The bytes for the program. Throws a ToolFault for input that cannot be sent. */
export function bytesOf(request: InputRequest, modes: ScreenInput): string {
  const { text, keys, paste, mouse, submit } = request;
  if ([text, keys, paste, mouse].filter((part) => part !== undefined).length !== 1)
    throw badInput('give exactly one of text, keys, paste and mouse', 'leave the others out');
  const end = submit ? '\r' : '';
  if (text !== undefined) return textBytes(text) + end;
  if (paste !== undefined) return encodePaste(paste, modes.bracketedPaste) + end;
  if (keys !== undefined) return keys.map((name) => namedKey(name, modes)).join('');
  return mouseOf(mouse as MouseSpec, modes);
}

/** The part of the request that a person can read. */
export function saidIn({ text, keys, paste, mouse }: InputRequest): string {
  if (text !== undefined) return text;
  if (paste !== undefined) return sanitizePaste(paste).replaceAll('\r', '\n');
  return keys?.join(' ') ?? `mouse ${mouse?.action} at ${mouse?.row},${mouse?.col}`;
}

function textBytes(text: string): string {
  if (KEYS_IN_TEXT.test(text)) throw badInput('the text holds control characters', 'send them by their names as keys');
  return text.replaceAll('\n', '\r');
}

function namedKey(name: string, modes: ScreenInput): string {
  const bytes = keyBytes(name, modes);
  if (bytes !== null) return bytes;
  const near = keySuggestions(name);
  throw new ToolFault(
    'UNKNOWN_KEY',
    `there is no key "${name}"`,
    near.length ? `did you mean ${near.join(', ')}?` : 'keys are named as Enter, Ctrl+C, Alt+x, F5, Up*3',
    {
      details: { suggestions: near },
    },
  );
}

function mouseOf(mouse: MouseSpec, modes: ScreenInput): string {
  if (modes.mouse?.encoding !== 'SGR') throw badInput('the program there does not take SGR mouse reports', 'use keys');
  return mouseBytes(mouse);
}

function badInput(message: string, suggestion: string): ToolFault {
  return new ToolFault('BAD_INPUT', message, suggestion);
}
