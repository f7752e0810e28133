import { blankSecrets } from './redactSecrets.ts';

/** Where secrets stand in lines that belong together. */
export interface Covered {
  readonly count: number;
  /** Of each line: the UTF-16 units of its text that belong to a secret. */
  readonly covered: readonly ReadonlySet<number>[];
}

export interface RedactedLines {
  readonly lines: readonly string[];
  /** Secrets that were taken out, each once in how many lines it may stand. */
  readonly redactions: number;
}

/** What stands where a part of a secret stood. */
export const REDACTED = '[redacted]';

/** Lines of a private key that are read above a slice: one of 16,384 bits has 200. */
export const LINES_ABOVE = 256;

/** What stands around lines. */
export interface Around {
  /** Lines right above them: a key's head may stand there. */
  readonly above?: readonly string[];
  /** A line that goes on where the one before it was full, as rows of a screen do. */
  readonly isWrapped?: (at: number) => boolean;
}

/** Consecutive lines of one text as they may leave, each with what it has of a secret taken out. */
export function redactedLines(lines: readonly string[], around: Around = {}): RedactedLines {
  return withoutCovered(lines, coveredLines(lines, around));
}

/** Of each line the UTF-16 units that belong to a secret; looked for in lines as they stand, and with those that go on joined. */
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

/** Lines without what is covered of each. */
export function withoutCovered(lines: readonly string[], covered: readonly ReadonlySet<number>[]): RedactedLines {
  if (covered.every(({ size }) => size === 0)) return { lines, redactions: 0 };
  let isOpen = false;
  let redactions = 0;
  const shown = lines.map((line, at) => {
    const own = covered[at] ?? new Set<number>();
    const { text, pieces } = without(line, own);
    // one that goes on from the end of a line to the start of the next is the same one
    redactions += pieces - (isOpen && own.has(0) && pieces > 0 ? 1 : 0);
    isOpen = line === '' ? isOpen : own.has(line.trimEnd().length - 1);
    return text;
  });
  return { lines: shown, redactions };
}

/** Some of these lines may be the inside of a private key whose head is not among them: what stands above has to be looked at. */
export function mayBeKey(lines: readonly string[]): boolean {
  for (const line of lines) {
    if (line.includes('-----BEGIN')) return false;
    const [run = ''] = /^[\s│|>"',]*([A-Za-z0-9+/=]{16,})(?:\\[nrt]|[\s│|"',])*$/.exec(line)?.slice(1) ?? [];
    if (/[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run)) return true;
  }
  return false;
}

/** What a line of a key has; looked for in all lines at once, as most of them have none. */
const RUN = /[A-Za-z0-9+/=]{16}/;

/** Whether a private key that begins above these lines may end in them or go on beyond: `LINES_ABOVE` lines from there belong to them. */
export function needsAbove(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return (RUN.test(text) && mayBeKey(lines)) || (text.includes('-----END') && endsKey(lines));
}

function endsKey(lines: readonly string[]): boolean {
  const end = lines.findIndex((line) => line.includes('-----END'));
  return end >= 0 && !lines.slice(0, end).some((line) => line.includes('-----BEGIN'));
}

/** Secrets in lines that are joined by what stands before each. */
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
