/** An object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

/** The object in a line of JSON; null for anything else. */
export function parseObject(line: string): Fields | null {
  try {
    return asFields(JSON.parse(line));
  } catch {
    return null; // torn and foreign lines are normal in a file of another program
  }
}

export function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** ms since 1970 of an ISO time; null for other values. */
export function asTimeMs(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** The text of content given as a string or as parts with a `text`; '' without any text. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .flatMap((part) => asString(asFields(part)?.text) ?? [])
    .join('\n');
}

/** Returns a count; null for any other value. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
