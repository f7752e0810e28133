import { decodePercent, parseExitStatus, parseFields } from './decodeFields.ts';

/**
 * What a shell integration that is not ours says with one OSC 133 or 633. All of it is a claim.
 * `cmd`: OSC 633;E announces the text of the command that the next `begin` starts.
 */
export type ForeignMark =
  | { type: 'promptStart' }
  | { type: 'promptEnd' }
  | { type: 'begin'; cmd: string | null }
  | { type: 'end'; exitCode: number | null }
  | { type: 'cmd'; cmd: string | null }
  | { type: 'cwd'; path: string };

/** `k=` of prompts that belong to a command which is still being typed, and of the one at the right edge. */
const NOT_A_NEW_PROMPT = new Set(['c', 's', 'r']);

/** OSC 133, FinalTerm's and its later additions. `body` is what follows `133;`. Unknown options are ignored. */
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
      return null; // L, a fresh line, and letters yet to come
  }
}

/** OSC 633, the same marks with text in E and properties in P. `body` is what follows `633;`. */
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
 * What `printf %q` wrote, when it used backslashes only. `$'…'` holds escapes of a shell's own, and a text that we might
 * read wrongly is no text.
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
