import { addScores, emptyScore, type Score } from '../compare/compare.ts';
import type { Result } from './results.ts';

/** Runs of one agent with the same variant, width and kind of window (fixed or resized). */
interface Group {
  readonly name: string;
  /** Different widths of the runs. */
  readonly widths: Set<number>;
  readonly isResized: boolean;
  runs: number;
  unplayed: number;
  score: Score;
}

const COLUMNS: readonly [string, (group: Group) => string][] = [
  ['agent', ({ name }) => name],
  ['columns', tellWidths],
  ['runs', ({ runs, unplayed }) => (unplayed === 0 ? `${runs}` : `${runs} (${unplayed} broke off)`)],
  ['found', ({ score }) => `${score.found}/${score.said}`],
  ['missing', ({ score }) => `${score.said - score.found}`],
  ['invented', ({ score }) => `${score.invented + score.toolsInvented}`],
  ['twice', ({ score }) => `${score.duplicated}`],
  ['text equal', ({ score }) => `${score.textEqual}/${score.found}`],
  ['Markdown equal', ({ score }) => `${score.markdownEqual}/${score.found}`],
  ['tools paired', ({ score }) => `${score.toolsPaired}/${score.tools}`],
  ['states in 500 ms', ({ score }) => `${score.statesOnTime}/${score.states}`],
];

/** A Markdown table with a line per agent, variant, width and kind of window, and a total. With `isBrief`, one line has all widths. */
export function formatResults(results: readonly Result[], isBrief: boolean): string {
  const groups = new Map<string, Group>();
  const all = newGroup('all', false);
  for (const result of results) {
    const { agent, variant, cols, isResized } = result;
    const name = variant === 'default' ? agent : `${agent}, ${variant}`;
    const key = [name, isResized, isBrief || cols].join(' ');
    const group = groups.get(key) ?? newGroup(name, isResized);
    groups.set(key, group);
    group.widths.add(cols);
    for (const counted of [group, all]) count(counted, result);
  }
  const rows = [...groups.values(), all].map((group) => COLUMNS.map(([, tell]) => tell(group)));
  const titles = COLUMNS.map(([title]) => title);
  return [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const newGroup = (name: string, isResized: boolean): Group => {
  return { name, widths: new Set(), isResized, runs: 0, unplayed: 0, score: emptyScore() };
};

function tellWidths({ widths, isResized }: Group): string {
  return [...[...widths].sort((a, b) => a - b), ...(isResized ? ['resized'] : [])].join(', ');
}

function count(group: Group, { score }: Result): void {
  group.runs += 1;
  if (score) group.score = addScores(group.score, { ...emptyScore(), ...score });
  else group.unplayed += 1;
}
