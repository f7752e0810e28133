/** One line of the table: a measured value, its comparison from the same run, and its target. */
export interface Figure {
  row: number;
  /** Part of a row with its own measurement: 2b. */
  part?: 'b';
  work: string;
  /** The median of our runs, unless `work` names another statistic. */
  value: number;
  unit: 'MB/s' | 'ms' | 'MB' | 'nodes' | '%' | 'calls/s';
  runs: number;
  /** The other's name and its median; null where a row has a fixed target. */
  against: { name: string; value: number } | null;
  /** Our time or size divided by the other's; in row 23, the difference in ms. null without `against`. */
  ratio: number | null;
  /** The target in the specification's words; '' where the figure has no target. */
  target: string;
  /** null without a target. */
  isMet: boolean | null;
}

/** The options of `npm run bench`. */
export interface BenchOptions {
  /** Size of the log payload; the other payloads have 0.4 of it. The specification uses 100. */
  megabytes: number;
  /** Runs per measurement; the table shows the median. */
  runs: number;
  /** Path of Chromium, or ''. */
  browser: string;
  /** Folder for payloads and records; removed at the end. */
  folder: string;
}

export type Row = (options: BenchOptions, say: (text: string) => void) => Promise<Figure[]>;

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The smallest value that at least the share `q` of all values does not exceed. Throws without values, which is a bug of the row. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * q) - 1))];
  if (value === undefined) throw new Error('No values were measured');
  return value;
}

/** Runs each measurement `count` times, in turns, so that changes in the machine's load affect all alike. Values by name. */
export async function inTurns<Name extends string, Value = number>(
  count: number,
  measurements: Readonly<Record<Name, () => Promise<Value>>>,
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(measurements) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Name, Value[]>;
  for (let run = 0; run < count; run++) {
    for (const name of names) values[name].push(await measurements[name]());
  }
  return values;
}
