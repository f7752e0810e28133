/** What a file of any format gives. */
export interface FileColors {
  /** Undefined where the format has no name in the file. */
  name?: string | undefined;
  background: string;
  foreground: string;
  cursor?: string | undefined;
  ansi: string[];
}

/** Names of the sixteen colours in most formats: the eight, then the same ones bright. */
export const EIGHT = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

/** A file that cannot be used. The message says what, where and what to do; it goes to the person as it is. */
export class BadThemeFile extends Error {}

const HEX = /^(?:#|0x)?([0-9a-f]{6}|[0-9a-f]{3})$/i;

/** `#a1b2c3`, `0xa1b2c3`, `a1b2c3` or `#abc`, as `#a1b2c3`. `place` names the key or the line for the message. */
export function readColor(value: unknown, place: string): string {
  if (value === undefined || value === null)
    throw new BadThemeFile(`${place} is missing. Add a colour such as #1a2b3c.`);
  const digits = typeof value === 'string' ? HEX.exec(value.trim())?.[1]?.toLowerCase() : undefined;
  if (digits === undefined)
    throw new BadThemeFile(`${place} is ${shown(value)}, which is not a colour. Write it like #1a2b3c.`);
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`;
}

/** A colour that may be absent, or name another one ("CellForeground"), as the cursor's may in several formats. */
export function readCursor(value: unknown, place: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && /^cell-?(foreground|background)$/i.test(value.trim())) return undefined;
  return readColor(value, place);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : typeof value;
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
