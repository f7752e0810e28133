/** One line of the table: what was measured, against what in the same run, and what is wanted. */
export interface Figure {
  row: number;
  /** Of a row that is measured apart: 2b. */
  part?: 'b';
  work: string;
  /** The median of our runs, or what `work` says. */
  value: number;
  unit: 'MB/s' | 'ms' | 'MB' | 'nodes' | '%' | 'calls/s';
  runs: number;
  /** The other's name and its median; null where a row has a fixed target. */
  against: { name: string; value: number } | null;
  /** Our time over the other's (a difference where the target is one); null without one. */
  ratio: number | null;
  /** In words, as in the specification; '' where a figure only informs. */
  target: string;
  /** null where there is no target. */
  isMet: boolean | null;
}

/** What `npm run bench` was asked for. */
export interface BenchOptions {
  /** Size of the log payload; the others are 0.4 of it. 100 is the specification's. */
  megabytes: number;
  /** Of each measurement; the median is told. */
  runs: number;
  /** Path of a Chromium, or ''. */
  browser: string;
  /** For payloads and records; removed at the end. */
  folder: string;
}

export type Row = (options: BenchOptions, say: (text: string) => void) => Promise<Figure[]>;

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that the share `q` of all values does not exceed; throws without values, which is a bug of the row. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * q) - 1))];
  if (value === undefined) throw new Error('No values were measured');
  return value;
}

/** `count` runs of each measurement, in turns, so that the machine's moods meet all of them. Values by name. */
export async function inTurns<Name extends string>(
  count: number,
  measurements: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measurements) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let run = 0; run < count; run++) {
    for (const name of names) values[name].push(await measurements[name]());
  }
  return values;
}
