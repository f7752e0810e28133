/**
 * The timing file of script(1) in its two forms: `<seconds> <bytes>` for output only, and the later one with a kind for each
 * line: `O <seconds> <bytes>` output, `I …` input, `S <seconds> SIGWINCH ROWS=<n> COLS=<n>`, `H …` facts. Seconds count from the
 * line before, of any kind.
 */
export type TimingEvent =
  | { type: 'output'; atMs: number; bytes: number }
  | { type: 'resize'; atMs: number; cols: number; rows: number }
  | { type: 'other'; atMs: number };

const CLASSIC = /^(\d+(?:\.\d+)?) (\d+)$/;
const LABELLED = /^([OISH]) (\d+(?:\.\d+)?) (.*)$/;

export class TypescriptTiming {
  #atMs = 0;

  /** Null for a line in neither form. */
  read(line: string): TimingEvent | null {
    const classic = CLASSIC.exec(line);
    if (classic) return this.#output(classic[1] ?? '', classic[2] ?? '');
    const [, kind, seconds = '', rest = ''] = LABELLED.exec(line) ?? [];
    if (kind === undefined) return null;
    if (kind === 'O') return /^\d+$/.test(rest) ? this.#output(seconds, rest) : null;
    this.#atMs += Number(seconds) * 1000;
    const size = kind === 'S' ? /^SIGWINCH ROWS=(\d+) COLS=(\d+)/.exec(rest) : null;
    if (!size) return { type: 'other', atMs: this.#atMs };
    return { type: 'resize', atMs: this.#atMs, cols: Number(size[2]), rows: Number(size[1]) };
  }

  #output(seconds: string, bytes: string): TimingEvent {
    this.#atMs += Number(seconds) * 1000;
    return { type: 'output', atMs: this.#atMs, bytes: Number(bytes) };
  }
}
