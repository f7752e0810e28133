import { blankSecrets } from './redactSecrets.ts';

/** The positions of secrets in related lines. */
export interface Covered {
  readonly count: number;
  /** For each line, the UTF-16 units of its text that belong to a secret. */
  readonly covered: readonly ReadonlySet<number>[];
}

export interface RedactedLines {
  readonly lines: readonly string[];
  /** Number of redacted secrets; one that spans several lines counts once. */
  readonly redactions: number;
}

/** Replaces a part of a secret. */
export const REDACTED = '[redacted]';

/** Lines above a slice to examine for a private key: a key of 16,384 bits has 200. */
export const LINES_ABOVE = 256;

/** The context of lines. */
export interface Around {
  /** Lines directly above, which may contain a key's header. */
  readonly above?: readonly string[];
  /** Whether a line continues the previous, full one, like rows of a screen. */
  readonly isWrapped?: (at: number) => boolean;
}

/** Redacts consecutive lines of one text. */
export function redactedLines(lines: readonly string[], around: Around = {}): RedactedLines {
  return withoutCovered(lines, coveredLines(lines, around));
}

/** For each line, the UTF-16 units that belong to a secret; examines the lines separately, and with wrapped lines joined. */
export function coveredLines(
  lines: readonly string[],
  { above = [], isWrapped }: Around = {},
): readonly ReadonlySet<number>[] {
  const all = [...above, ...lines];
  const apart = coveredIn(all, () => '\n');
  const wraps = (at: number): boolean => at > above.length && (isWrapped?.(at - above.length) ?? false);
  const joined = isWrapped && all.some((_, at) => wraps(at)) ? coveredIn(all, (at) => (wraps(at) ? '' : '\n')) : null;
  return lines.map((_, at) => union(apart.covered[above.length + at], joined?.covered[above.length + at]));
}

/** Replaces the covered parts of each line. */
export function withoutCovered(lines: readonly string[], covered: readonly ReadonlySet<number>[]): RedactedLines {
  if (covered.every(({ size }) => size === 0)) return { lines, redactions: 0 };
  let isOpen = false;
  let redactions = 0;
  const shown = lines.map((line, at) => {
    const own = covered[at] ?? new Set<number>();
    const { text, pieces } = without(line, own);
    // a secret that continues from a line's end to the next line's start counts once
    redactions += pieces - (isOpen && own.has(0) && pieces > 0 ? 1 : 0);
    isOpen = line === '' ? isOpen : own.has(line.trimEnd().length - 1);
    return text;
  });
  return { lines: shown, redactions };
}

/** Whether some of these lines may be inside a private key whose header is above them, so that the lines above have to be examined. */
export function mayBeKey(lines: readonly string[]): boolean {
  for (const line of lines) {
    if (line.includes('-----BEGIN')) return false;
    const [run = ''] = /^[\s│|>"',]*([A-Za-z0-9+/=]{16,})(?:\\[nrt]|[\s│|"',])*$/.exec(line)?.slice(1) ?? [];
    if (/[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run)) return true;
  }
  return false;
}

/** Part of every line of a key; tested on all lines at once, because most of them have none. */
const RUN = /[A-Za-z0-9+/=]{16}/;

/** Whether a private key that begins above may end in these lines or continue beyond them, so that `LINES_ABOVE` lines above are needed. */
export function needsAbove(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return (RUN.test(text) && mayBeKey(lines)) || (text.includes('-----END') && endsKey(lines));
}

function endsKey(lines: readonly string[]): boolean {
  const end = lines.findIndex((line) => line.includes('-----END'));
  return end >= 0 && !lines.slice(0, end).some((line) => line.includes('-----BEGIN'));
}

/** Finds secrets in lines that are joined by the border before each. */
export function coveredIn(lines: readonly string[], borderBefore: (at: number) => string): Covered {
  let text = '';
  const starts = lines.map((line, at) => {
    if (at > 0) text += borderBefore(at);
    const start = text.length;
    text += line;
    return start;
  });
  const { text: blanked, count } = blankSecrets(text);
  const covered = lines.map((line, at) => {
    const found = new Set<number>();
    if (count === 0) return found;
    const start = starts[at] ?? 0;
    for (let unit = 0; unit < line.length; unit += 1) if (text[start + unit] !== blanked[start + unit]) found.add(unit);
    return found;
  });
  return { count, covered };
}

export function union(one: ReadonlySet<number> = new Set(), other: ReadonlySet<number> = new Set()): Set<number> {
  return new Set([...one, ...other]);
}

function without(line: string, covered: ReadonlySet<number>): { text: string; pieces: number } {
  if (covered.size === 0) return { text: line, pieces: 0 };
  let text = '';
  let pieces = 0;
  for (let unit = 0; unit < line.length; unit += 1) {
    if (!covered.has(unit)) text += line[unit];
    else if (!covered.has(unit - 1)) {
      text += REDACTED;
      pieces += 1;
    }
  }
  return { text, pieces };
}
