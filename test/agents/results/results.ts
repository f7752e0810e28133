import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Cell } from '../cells.ts';
import { emptyScore, isPerfect, type Score } from '../compare/compare.ts';

/** Last result of a cell. */
export interface Result extends Cell {
  readonly version: string;
  /** Day of the run. */
  readonly date: string;
  /** Counts that are not 0. Absent: the run did not finish. */
  readonly score?: Partial<Score>;
  /** Why the run did not finish. */
  readonly problem?: string;
}

const FILE = new URL('../results.json', import.meta.url).pathname;

/** All saved results. */
export function readResults(): Result[] {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Result[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Whether the last result of the cell is from this version and without faults. */
export function isSettled(cell: Cell, version: string | null): boolean {
  const last = readResults().find((one) => keyOf(one) === keyOf(cell) && one.version === version);
  if (!last?.score) return false;
  const score = { ...emptyScore(), ...last.score };
  return isPerfect(score) && score.textEqual === score.said && score.statesOnTime === score.states;
}

/** Replaces the cell's last result. */
export function saveResult(result: Result): void {
  const others = readResults().filter((other) => keyOf(other) !== keyOf(result));
  const sorted = [...others, result].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  writeFileSync(`${FILE}.new`, `[\n${sorted.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
  renameSync(`${FILE}.new`, FILE);
}

export function shortened(score: Score): Partial<Score> {
  const keys = Object.keys(emptyScore()) as (keyof Score)[];
  return Object.fromEntries(keys.filter((key) => score[key] > 0).map((key) => [key, score[key]]));
}

/** A unique key per cell. Padded sizes sort by number. */
function keyOf({ agent, variant, cols, rows, isResized, case: name }: Cell): string {
  const [width, height] = [cols, rows].map((count) => String(count).padStart(4, '0'));
  const way = variant === 'default' ? '' : variant;
  return [agent, way, width, height, isResized ? 'resized' : '', name].join(' ');
}
