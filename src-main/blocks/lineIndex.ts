/** One entry for so many logical lines; a power of two. */
export const INDEX_EVERY_LINES = 1024;

/**
 * One line of `<id>.idx`: logical line `line` (from 0) starts at byte `out` of `.out` and at byte `src` of the source;
 * `sgr` are the bytes that bring a fresh reader into the state it needs there (look, link, charsets), '' for none.
 */
export interface IndexEntry {
  line: number;
  out: number;
  src: number;
  sgr: string;
}

export interface LineIndex {
  source: 'raw' | 'ren';
  /** Columns of the screen when the block began. */
  cols: number;
  /** Ascending by every field. */
  entries: IndexEntry[];
}

const VERSION = 1;

/** The first line of a `.idx`, with its line feed. */
export function formatIndexHeader({ source, cols }: Pick<LineIndex, 'source' | 'cols'>): string {
  return `${JSON.stringify({ version: VERSION, source, cols })}\n`;
}

export function formatIndexEntries(entries: readonly IndexEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

/**
 * Reads a `.idx`. Lines that cannot be read or are out of order (a torn end) are left out: what is missing only makes a read
 * start earlier. A missing header means the raw source and the widest screen.
 */
export function parseIndex(text: string, widestCols: number): LineIndex {
  const index: LineIndex = { source: 'raw', cols: widestCols, entries: [] };
  for (const line of text.split('\n')) {
    const value = parseObject(line);
    if (value.version === VERSION) {
      if (value.source === 'ren') index.source = 'ren';
      if (Number.isInteger(value.cols)) index.cols = value.cols as number;
    } else if (isEntry(value) && value.line > (index.entries.at(-1)?.line ?? 0)) index.entries.push(value);
  }
  return index;
}

function parseObject(line: string): Record<string, unknown> {
  try {
    const value: unknown = line === '' ? null : JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // a torn line, see parseIndex
  }
}

function isEntry(value: Record<string, unknown>): value is Record<string, unknown> & IndexEntry {
  return (
    [value.line, value.out, value.src].every((number) => Number.isSafeInteger(number)) && typeof value.sgr === 'string'
  );
}
