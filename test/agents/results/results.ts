import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Cell } from '../cells.ts';
import { emptyScore, isPerfect, type Score } from '../compare/compare.ts';

/** What a cell gave when it was last played. */
export interface Result extends Cell {
  readonly version: string;
  /** Day of the run. */
  readonly date: string;
  /** Counts that are not 0. Absent: the run did not come to its end. */
  readonly score?: Partial<Score>;
  /** Why it did not. */
  readonly problem?: string;
}

const FILE = new URL('../results.json', import.meta.url).pathname;

/** All cells that were ever saved. */
export function readResults(): Result[] {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Result[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Whether this version was played in the cell without any fault. */
export function isSettled(cell: Cell, version: string | null): boolean {
  const last = readResults().find((one) => keyOf(one) === keyOf(cell) && one.version === version);
  if (!last?.score) return false;
  const score = { ...emptyScore(), ...last.score };
  return isPerfect(score) && score.textEqual === score.said && score.statesOnTime === score.states;
}

/** Puts a result in the place of the cell's last one. */
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

/** One cell is one key; sorted, keys are in the order of people. */
function keyOf({ agent, variant, cols, rows, isResized, case: name }: Cell): string {
  const [width, height] = [cols, rows].map((count) => String(count).padStart(4, '0'));
  const way = variant === 'default' ? '' : variant;
  return [agent, way, width, height, isResized ? 'resized' : '', name].join(' ');
}
