import type { Figure } from './Figure.ts';

const HEADINGS = ['#', 'work', 'ours', 'against', 'theirs', 'ratio', 'target', 'met', 'runs'];

/** Formats the figures as a plain text table with aligned columns. */
export function formatTable(figures: readonly Figure[]): string {
  const lines = [HEADINGS, ...figures.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function cells({ row, part, work, value, unit, against, ratio, target, isMet, runs }: Figure): string[] {
  return [
    `${row}${part ?? ''}`,
    work,
    `${digits(value)} ${unit}`,
    against?.name ?? '–',
    against ? `${digits(against.value)} ${unit}` : '–',
    ratio === null ? '–' : digits(ratio),
    target || '–',
    isMet === null ? '–' : isMet ? 'yes' : 'no',
    String(runs),
  ];
}

function digits(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}
