import { continues, isDroppable, isJoinOf, JOINTS } from './isJoinOf.ts';

/** What is known of one line of a command: what its row on the screen shows, or the line itself. */
export interface ShownLine {
  /** Without blanks at its end. Several where it cannot be told whether the row starts with a prompt. */
  readonly rows: readonly string[];
  /** The line as the keys entered it, where they alone say. */
  readonly typed: string | null;
}

const BLANKS = /^ */;

/**
 * The lines that bash joined to this entry of its history: the entry has their text, the screen says where one ends. null when they
 * fit in no way or in more than one. A blank line or comment that bash left out of the entry is known only from the keys.
 */
export function splitJoined(entry: string, shown: readonly ShownLine[]): string[] | null {
  const found = new Search(entry, shown).from(0, 0, '');
  const [first] = found;
  if (first === undefined || found.length > 1 || first.includes(null)) return null;
  const lines = first.filter((line) => line !== null);
  return isJoinOf(entry, lines) ? lines : null;
}

/** The end of a command; null stands for a line that nothing proves. */
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

  /** What line `n` can be, and where it then ends in the entry. */
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

  /** The rows, with as many blanks behind them as the entry has there, or fewer. */
  *#padded(rows: readonly string[], start: number): Generator<string> {
    for (const row of rows) {
      const end = start + row.length;
      const most = this.#entry.startsWith(row, start) ? (BLANKS.exec(this.#entry.slice(end))?.[0].length ?? 0) : 0;
      for (let blanks = 0; blanks <= most; blanks++) yield row + ' '.repeat(blanks);
    }
  }
}
