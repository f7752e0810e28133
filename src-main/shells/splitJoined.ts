import { continues, isDroppable, isJoinOf, JOINTS } from './isJoinOf.ts';

/** Known facts about one line of a command: its row on the screen, or the line itself. */
export interface ShownLine {
  /** Without trailing blanks. Several alternatives if it is unknown whether the row starts with a prompt. */
  readonly rows: readonly string[];
  /** The line as typed, if only the keys reveal it. */
  readonly typed: string | null;
}

const BLANKS = /^ */;

/**
 * Splits a history entry of bash into its lines: the entry has their text, the screen shows where they end. null if they fit in no
 * way or in several. Only the keys reveal a blank line or comment that bash left out of the entry.
 */
export function splitJoined(entry: string, shown: readonly ShownLine[]): string[] | null {
  const found = new Search(entry, shown).from(0, 0, '');
  const [first] = found;
  if (first === undefined || found.length > 1 || first.includes(null)) return null;
  const lines = first.filter((line) => line !== null);
  return isJoinOf(entry, lines) ? lines : null;
}

/** The remaining lines of a command; null represents a line without proof. */
type Rest = readonly (string | null)[];

class Search {
  readonly #entry: string;
  readonly #shown: readonly ShownLine[];
  readonly #known = new Map<string, Rest[]>();

  constructor(entry: string, shown: readonly ShownLine[]) {
    this.#entry = entry;
    this.#shown = shown;
  }

  /** At most two ways in which the lines from `n` on fit the entry from `at` on, where the line `before` ends. */
  from(n: number, at: number, before: string): Rest[] {
    const shown = this.#shown[n];
    if (!shown) return at === this.#entry.length ? [[]] : [];
    const key = `${n} ${at} ${continues(before)}`;
    const known = this.#known.get(key);
    if (known) return known;
    const rests = new Map<string, Rest>();
    for (const [line, end] of this.#linesAt(shown, n, at, before)) {
      for (const rest of this.from(n + 1, end, line ?? '')) {
        const whole = [line, ...rest];
        rests.set(JSON.stringify(whole), whole);
      }
      if (rests.size > 1) break;
    }
    const found = [...rests.values()].slice(0, 2);
    this.#known.set(key, found);
    return found;
  }

  /** Possible texts of line `n`, and where each ends in the entry. */
  *#linesAt({ rows, typed }: ShownLine, n: number, at: number, before: string): Generator<[string | null, number]> {
    if (typed !== null && isDroppable(typed)) yield [typed, at];
    else if (typed === null && rows.some(isDroppable)) yield [null, at];
    for (const start of n === 0 ? [0] : this.#starts(at, before)) {
      for (const line of typed === null ? this.#padded(rows, start) : [typed]) {
        if (this.#entry.startsWith(line, start)) yield [line, start + line.length];
        if (continues(line) && this.#entry.startsWith(line.slice(0, -1), start)) yield [line, start + line.length - 1];
      }
    }
  }

  #starts(at: number, before: string): number[] {
    const isEmptyJoint = continues(before) || this.#entry.includes('<<');
    return JOINTS.filter((joint) => (joint !== '' || isEmptyJoint) && this.#entry.startsWith(joint, at)).map(
      (joint) => at + joint.length,
    );
  }

  /** The rows, each with up to as many trailing blanks as the entry has there. */
  *#padded(rows: readonly string[], start: number): Generator<string> {
    for (const row of rows) {
      const end = start + row.length;
      const most = this.#entry.startsWith(row, start) ? (BLANKS.exec(this.#entry.slice(end))?.[0].length ?? 0) : 0;
      for (let blanks = 0; blanks <= most; blanks++) yield row + ' '.repeat(blanks);
    }
  }
}
