import { decodePercent, parseExitStatus, parseFields } from './decodeFields.ts';

/**
 * The content of one OSC 133 or 633 from a shell integration other than ours. All of it is unverified.
 * `cmd`: OSC 633;E announces the text of the command that the next `begin` starts.
 */
export type ForeignMark =
  | { type: 'promptStart' }
  | { type: 'promptEnd' }
  | { type: 'begin'; cmd: string | null }
  | { type: 'end'; exitCode: number | null }
  | { type: 'cmd'; cmd: string | null }
  | { type: 'cwd'; path: string };

/** `k=` of continuation prompts within a command, and of the right prompt. */
const NOT_A_NEW_PROMPT = new Set(['c', 's', 'r']);

/** OSC 133 of FinalTerm, with later additions. `body` follows `133;`. Ignores unknown options. */
export function parseOsc133(body: string): ForeignMark | null {
  const [letter, ...parts] = body.split(';');
  const fields = parseFields(parts);
  switch (letter) {
    case 'A':
    case 'N':
    case 'P':
      return NOT_A_NEW_PROMPT.has(fields.get('k') ?? '') ? null : { type: 'promptStart' };
    case 'B':
    case 'I':
      return { type: 'promptEnd' };
    case 'C':
      return { type: 'begin', cmd: claimedCommand(fields) };
    case 'D':
      return { type: 'end', exitCode: parseExitStatus(parts[0]) };
    default:
      return null; // L (fresh line) and future letters
  }
}

/** OSC 633: the same marks with text in E and properties in P. `body` follows `633;`. */
export function parseOsc633(body: string): ForeignMark | null {
  const [letter, first, ...rest] = body.split(';');
  switch (letter) {
    case 'A':
      return { type: 'promptStart' };
    case 'B':
      return { type: 'promptEnd' };
    case 'C':
      return { type: 'begin', cmd: null };
    case 'D':
      return { type: 'end', exitCode: parseExitStatus(first) };
    case 'E':
      return { type: 'cmd', cmd: first ? plainText(unescapeHex(first)) : null };
    case 'P':
      return parseProperty([first ?? '', ...rest].join(';'));
    default:
      return null; // F, G (a continued line), H, I (the right prompt)
  }
}

function parseProperty(property: string): ForeignMark | null {
  const path = property.startsWith('Cwd=') ? unescapeHex(property.slice('Cwd='.length)) : '';
  return path === '' ? null : { type: 'cwd', path };
}

function claimedCommand(fields: Map<string, string>): string | null {
  const url = fields.get('cmdline_url');
  if (url) return plainText(decodePercent(url));
  const quoted = fields.get('cmdline');
  return quoted ? plainText(unquoteShell(quoted)) : null;
}

/**
 * Unquotes the output of `printf %q` if it uses backslashes only. `$'…'` contains shell-specific escapes, and a text that may be decoded wrongly is
 * useless.
 */
function unquoteShell(quoted: string): string | null {
  return /['"]/.test(quoted) ? null : quoted.replace(/\\(.)/gs, '$1');
}

/** `\x3b` and `\\` as 633;E writes them. */
function unescapeHex(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|(\\))/g, (_all, hex?: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : '\\',
  );
}

function plainText(text: string | null): string | null {
  return text === null || text === '' || text.includes('\0') ? null : text;
}
