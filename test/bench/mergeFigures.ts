import type { Figure } from './Figure.ts';

/** A figure of results.json, and when the run began that measured it. */
export interface DatedFigure extends Figure {
  atMs: number;
}

/** What is read of an older results.json; until version 2 its figures bore no date of their own. */
export interface OldResults {
  startedMs: number;
  figures: readonly (Figure & { atMs?: number })[];
}

/** All figures that are known: of the rows that were measured those of now, of the others the last ones with their date; in order of rows. */
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
