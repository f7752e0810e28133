import { type ControlToken, ControlTokens } from './ControlTokens.ts';
import { isKittyImage, isQuery } from './queries.ts';

/** Switches to extended keyboards. The core's screen does not support them, so a viewer's keys would differ from those announced to the program. */
const KEYBOARD_SWITCH = /^(?:\x1b\[|\xc2\x9b)(?:[<>=][0-9;]*u|>[0-9;]*m)$/;
const SEMICOLON = 0x3b;
const NUL = 0x00;
const ENQ = 0x05;

/**
 * Passes live bytes on to a viewing terminal, without sequences that would make it answer the program or change its key encoding: the core's screen
 * has already answered. Everything else passes unchanged, a sequence once it is complete.
 */
export class QueryFilter {
  readonly #tokens = new ControlTokens();
  #last = 0;

  feed(bytes: Uint8Array): { passed: Uint8Array; tokens: readonly ControlToken[] } {
    const kept: ControlToken[] = [];
    const pieces: Uint8Array[] = [];
    for (const token of this.#tokens.feed(bytes)) {
      if (isHeldBack(token)) {
        // The bytes on both sides must not combine into one character: C2 and 9B are CSI.
        if (this.#last >= 0x80) pieces.push(Uint8Array.of(NUL));
        this.#last = NUL;
        continue;
      }
      kept.push(token);
      pieces.push(token.kind === 'text' ? withoutEnquiry(token.bytes) : quietImage(token));
      this.#last = token.bytes.at(-1) ?? 0;
    }
    return { passed: pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces), tokens: kept };
  }
}

function isHeldBack(token: ControlToken): boolean {
  if (token.kind === 'broken' || isQuery(token)) return true;
  return token.kind === 'csi' && token.bytes.length < 32 && KEYBOARD_SWITCH.test(String.fromCharCode(...token.bytes));
}

/** Adds `q=2` to a kitty graphics command, which suppresses the terminal's answer. */
function quietImage(token: ControlToken): Uint8Array {
  const { bytes } = token;
  if (!isKittyImage(token)) return bytes;
  const end = bytes.indexOf(SEMICOLON);
  const keys = Buffer.from(bytes.subarray(3, end < 0 ? bytes.length - 2 : end)).toString('latin1');
  const quiet = ['q=2', ...keys.split(',').filter((key) => key !== '' && !key.trim().startsWith('q='))].join(',');
  const rest = bytes.subarray(end < 0 ? bytes.length - 2 : end);
  return Buffer.concat([bytes.subarray(0, 3), Buffer.from(quiet, 'latin1'), rest]);
}

function withoutEnquiry(bytes: Uint8Array): Uint8Array {
  return bytes.includes(ENQ) ? bytes.map((byte) => (byte === ENQ ? NUL : byte)) : bytes;
}
