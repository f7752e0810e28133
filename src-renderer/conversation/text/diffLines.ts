/** How a line of shown text takes part in a change. `text` is the line as it is, signs and numbers in it. */
export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'head';
  text: string;
}

const NUMBERED = /^\s*\d+\s?([+-]|\s|$)/;
const UNIFIED_HEAD = /^(@@ |diff --git |--- |\+\+\+ |index [0-9a-f]+\.\.)/;
/** Words above a numbered change, such as "Added 1 line, removed 2". */
const MOST_HEAD_LINES = 2;

/** The lines of a change, or null for text that is none. Only its looks depend on it: no character is taken away. */
export function diffLines(text: string): DiffLine[] | null {
  const lines = text.split('\n');
  return numberedDiff(lines) ?? unifiedDiff(lines);
}

/** As agents draw it: ` 12 + text`. All lines below the head have a number, and at least one has a sign. */
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

/** As `diff -u` and git print it. */
function unifiedDiff(lines: readonly string[]): DiffLine[] | null {
  if (!lines.some((line) => /^@@ .*@@/.test(line))) return null;
  return lines.map((text) => ({ kind: unifiedKind(text), text }));
}

/** Of a line within a fence that says it is a diff, with or without its heads. */
export function unifiedKind(text: string): DiffLine['kind'] {
  if (UNIFIED_HEAD.test(text)) return 'head';
  if (text.startsWith('+')) return 'added';
  return text.startsWith('-') ? 'removed' : 'same';
}
