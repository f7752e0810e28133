import type { Figure } from './Figure.ts';

/** A figure of results.json with the start time of its run. */
export interface DatedFigure extends Figure {
  atMs: number;
}

/** The parts of an older results.json that are read. Before version 2, a figure has no date of its own. */
export interface OldResults {
  startedMs: number;
  figures: readonly (Figure & { atMs?: number })[];
}

/** The new figures, and the old ones of rows that this run did not measure, in order of rows. Each keeps the date of its run. */
export function mergeFigures(
  old: OldResults | null,
  now: { startedMs: number; figures: readonly Figure[] },
): DatedFigure[] {
  const measured = new Set(now.figures.map(rowOf));
  const kept = (old?.figures ?? []).filter((figure) => !measured.has(rowOf(figure)));
  return [
    ...kept.map((figure) => ({ ...figure, atMs: figure.atMs ?? old?.startedMs ?? 0 })),
    ...now.figures.map((figure) => ({ ...figure, atMs: now.startedMs })),
  ].sort((a, b) => a.row - b.row);
}

function rowOf({ row, part }: Figure): string {
  return `${row}${part ?? ''}`;
}
