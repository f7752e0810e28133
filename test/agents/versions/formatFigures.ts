import type { FiguresRow } from './figures.ts';
import type { Counts, Figures } from './measure.ts';

const COLUMNS: readonly [string, (figures: Figures) => string][] = [
  ['shown as', ({ shownAs }) => shownAs],
  ['found', ({ found, said }) => `${found}/${said}`],
  ['invented', ({ invented }) => `${invented}`],
  ['twice', ({ duplicated }) => `${duplicated}`],
  ['text equal', ({ textEqual, found }) => `${textEqual}/${found}`],
  ['tools', ({ toolsFound, tools }) => `${toolsFound}/${tools}`],
  ['states in 500 ms', ({ statesOnTime, states }) => `${statesOnTime}/${states}`],
  ['wrong, marked', ({ marked }) => `${marked}`],
  ['wrong, no mark', ({ silent }) => `${silent.length}`],
];
const LIVE = 'wrong while it ran';

/** A Markdown table with a line per recording and per version that could not be played, then all unmarked faults. */
export function formatFigures(rows: readonly FiguresRow[]): string {
  const titles = ['agent', 'recording', ...COLUMNS.map(([title]) => title), LIVE];
  const lines = rows.map(({ agent, version, recording, figures, live, problem }) =>
    figures
      ? [agent, recording ?? version, ...COLUMNS.map(([, tell]) => tell(figures)), live ? tellWrong(live) : '?']
      : [agent, version, `not played: ${problem}`, ...COLUMNS.map(() => '')],
  );
  const table = [titles, titles.map(() => '---'), ...lines].map((cells) => `| ${cells.map(escaped).join(' | ')} |`);
  const silent = rows.flatMap(({ agent, recording, figures, live }) => [
    ...(figures?.silent ?? []).map((name) => `- ${agent} ${recording}: ${code(name)}`),
    ...(live?.silent ?? [])
      .filter((name) => !figures?.silent.includes(name))
      .map((name) => `- ${agent} ${recording}, while it ran: ${code(name)}`),
  ]);
  const heading = silent.length === 0 ? 'Nothing is wrong without a mark.' : 'Wrong without a mark:';
  return [...table, '', heading, ...(silent.length === 0 ? [] : ['', ...silent])].join('\n');
}

const tellWrong = ({ marked, silent }: Counts) => `${marked + silent.length}`;
const escaped = (cell: string) => cell.replaceAll('|', '\\|');
const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;
