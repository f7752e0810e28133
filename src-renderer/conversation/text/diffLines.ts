/** The kind of a line in a diff. `text` is the unchanged line, with its signs and numbers. */
export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'head';
  text: string;
}

const NUMBERED = /^\s*\d+\s?([+-]|\s|$)/;
const UNIFIED_HEAD = /^(@@ |diff --git |--- |\+\+\+ |index [0-9a-f]+\.\.)/;
/** Most lines above a numbered diff, for example "Added 1 line, removed 2". */
const MOST_HEAD_LINES = 2;

/** The lines of a diff, or null for other text. It only affects the look: no character is removed. */
export function diffLines(text: string): DiffLine[] | null {
  const lines = text.split('\n');
  return numberedDiff(lines) ?? unifiedDiff(lines);
}

/** A diff as agents draw it: ` 12 + text`. All lines below the head have a number, and at least one has a sign. */
function numberedDiff(lines: readonly string[]): DiffLine[] | null {
  const first = lines.findIndex((line) => NUMBERED.test(line));
  if (first < 0 || first > MOST_HEAD_LINES) return null;
  const body = lines.slice(first);
  if (!body.every((line) => line.trim() === '' || NUMBERED.test(line))) return null;
  const marked = body.map((text): DiffLine => {
    const sign = NUMBERED.exec(text)?.[1];
    return { kind: sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same', text };
  });
  if (marked.every(({ kind }) => kind === 'same')) return null;
  return [...lines.slice(0, first).map((text): DiffLine => ({ kind: 'head', text })), ...marked];
}

/** A diff as `diff -u` and git print it. */
function unifiedDiff(lines: readonly string[]): DiffLine[] | null {
  if (!lines.some((line) => /^@@ .*@@/.test(line))) return null;
  return lines.map((text) => ({ kind: unifiedKind(text), text }));
}

/** Kind of a line in a fence marked as a diff, with or without file headers. */
export function unifiedKind(text: string): DiffLine['kind'] {
  if (UNIFIED_HEAD.test(text)) return 'head';
  if (text.startsWith('+')) return 'added';
  return text.startsWith('-') ? 'removed' : 'same';
}
