/** A part of two texts: in both, only in the first, or only in the second. */
export interface DiffPiece {
  kind: 'both' | 'only-first' | 'only-second';
  text: string;
}

/** Longer texts are shown whole, because the table has as many cells as the product of both word counts. */
const MOST_WORDS = 600;

/** The difference of two texts by words. The pieces without `only-second` join to `first`, those without `only-first` to `second`. */
export function wordDiff(first: string, second: string): DiffPiece[] {
  const [one, two] = [words(first), words(second)];
  if (one.length > MOST_WORDS || two.length > MOST_WORDS) return whole(first, second);
  const common = commonLengths(one, two);
  const pieces: DiffPiece[] = [];
  let [a, b] = [0, 0];
  while (a < one.length || b < two.length) {
    const [left, right] = [one[a], two[b]];
    if (left !== undefined && left === right) {
      put(pieces, 'both', left);
      a += 1;
      b += 1;
    } else if (right === undefined || (left !== undefined && length(common, a + 1, b) >= length(common, a, b + 1))) {
      put(pieces, 'only-first', left ?? '');
      a += 1;
    } else {
      put(pieces, 'only-second', right);
      b += 1;
    }
  }
  return pieces;
}

function whole(first: string, second: string): DiffPiece[] {
  if (first === second) return [{ kind: 'both', text: first }];
  return [
    { kind: 'only-first', text: first },
    { kind: 'only-second', text: second },
  ];
}

function words(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}

/** Row `a`, column `b`: length of the longest common subsequence of the words from there on. */
function commonLengths(one: readonly string[], two: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: one.length + 1 }, () => new Uint16Array(two.length + 1));
  for (let a = one.length - 1; a >= 0; a -= 1) {
    for (let b = two.length - 1; b >= 0; b -= 1) {
      const value =
        one[a] === two[b] ? length(rows, a + 1, b + 1) + 1 : Math.max(length(rows, a + 1, b), length(rows, a, b + 1));
      (rows[a] as Uint16Array)[b] = value;
    }
  }
  return rows;
}

function length(rows: readonly Uint16Array[], a: number, b: number): number {
  return rows[a]?.[b] ?? 0;
}

function put(pieces: DiffPiece[], kind: DiffPiece['kind'], text: string): void {
  const last = pieces.at(-1);
  if (last?.kind === kind) last.text += text;
  else pieces.push({ kind, text });
}
