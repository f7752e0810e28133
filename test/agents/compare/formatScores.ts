import type { Score } from './compare.ts';

export interface ScoredCase {
  readonly name: string;
  readonly score: Score;
}

const COLUMNS: readonly [string, (score: Score) => string][] = [
  ['found', ({ said, found }) => `${found}/${said}`],
  ['invented', ({ invented }) => `${invented}`],
  ['twice', ({ duplicated }) => `${duplicated}`],
  ['text', ({ found, textEqual }) => `${textEqual}/${found}`],
  ['markdown', ({ found, markdownEqual }) => `${markdownEqual}/${found}`],
  ['tools', ({ tools, toolsFound }) => `${toolsFound}/${tools}`],
  ['+tools', ({ toolsInvented }) => `${toolsInvented}`],
  ['paired', ({ toolsFound, toolsPaired }) => `${toolsPaired}/${toolsFound}`],
  ['states', ({ states, statesOnTime }) => `${statesOnTime}/${states}`],
];

/** A plain-text table with one line per case. */
export function formatScores(cases: readonly ScoredCase[]): string {
  const rows = [
    ['case', ...COLUMNS.map(([title]) => title)],
    ...cases.map(({ name, score }) => [name, ...COLUMNS.map(([, tell]) => tell(score))]),
  ];
  const widths = rows[0]?.map((_, col) => Math.max(...rows.map((row) => row[col]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, col) => pad(cell, widths[col] ?? 0, col))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const pad = (cell: string, width: number, col: number) => (col === 0 ? cell.padEnd(width) : cell.padStart(width));
