import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { seedOf } from '../cases/random.ts';
import type { Cell } from '../cells.ts';
import type { Counts } from '../versions/measure.ts';

/** Result of a random script. */
export interface RandomRun {
  readonly agent: string;
  readonly version: string;
  readonly seed: number;
  /** Day of the run. */
  readonly date: string;
  /** Counts per terminal. Empty: the run broke off because of `problem`, which is a fault of the rig. */
  readonly counts: readonly Counts[];
  readonly problem?: string;
}

const FILE = new URL('../random.json', import.meta.url).pathname;
const README = new URL('../README.md', import.meta.url).pathname;
const [BEGIN, END] = ['<!-- random scripts: written by --random --save -->', '<!-- end of random scripts -->'];
const PROBLEM_CHARS = 160;

/** Makes the result to keep; null if the cell's case is not random. */
export function randomRunOf(
  { agent, case: name }: Cell,
  { version, problem, counts }: { version: string; problem: string; counts: readonly Counts[] },
): RandomRun | null {
  const seed = seedOf(name);
  if (seed === null) return null;
  const date = new Date().toISOString().slice(0, 10);
  const cut = problem.replace(/^.*Error: /, '').slice(0, PROBLEM_CHARS);
  return { agent, version, seed, date, counts, ...(counts.length === 0 && { problem: cut }) };
}

/** The command that repeats the run. */
export function repeatCommand({ agent, case: name }: Pick<Cell, 'agent' | 'case'>): string {
  return `npm run test:agents -- --random 1 --seed ${seedOf(name)} --agent ${agent}`;
}

export function readRandomRuns(): RandomRun[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as RandomRun[]) : [];
}

/** Replaces the last run with that agent and seed, and updates the table in the README. */
export function saveRandomRun(run: RandomRun): void {
  const others = readRandomRuns().filter(({ agent, seed }) => agent !== run.agent || seed !== run.seed);
  const runs = [...others, run].sort((a, b) => a.agent.localeCompare(b.agent) || a.seed - b.seed);
  replace(FILE, `[\n${runs.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
  const text = readFileSync(README, 'utf8');
  const [head, tail] = [text.slice(0, text.indexOf(BEGIN) + BEGIN.length), text.slice(text.indexOf(END))];
  replace(README, `${head}\n${formatRandomRuns(runs)}\n${tail}`);
}

/** The table in the README. */
export function readRandomTable(): string {
  const text = readFileSync(README, 'utf8');
  return text.slice(text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)).trim();
}

/** A Markdown table with a line per version of each agent, then all unmarked faults and broken-off runs. */
export function formatRandomRuns(runs: readonly RandomRun[]): string {
  const titles = ['agent', 'runs', 'broken off', 'found', 'invented', 'repeated', 'text equal', 'with the log'];
  const header = [...titles, 'wrong, marked', 'wrong, no mark', 'seeds'];
  const names = [...new Set(runs.map(({ agent, version }) => `${agent} ${version}`))];
  const lines = names.map((name) =>
    lineOf(
      name,
      runs.filter(({ agent, version }) => `${agent} ${version}` === name),
    ),
  );
  const table = [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  const silent = runs.flatMap((run) => run.counts.flatMap((counts) => counts.silent.map((name) => told(run, name))));
  const broken = runs.flatMap((run) => (run.problem === undefined ? [] : [told(run, `broke off: ${run.problem}`)]));
  return [...table, ...(silent.length + broken.length === 0 ? [] : ['', ...silent, ...broken])].join('\n');
}

function lineOf(name: string, runs: readonly RandomRun[]): string[] {
  const counts = runs.flatMap((run) => run.counts);
  const sum = (of: (counts: Counts) => number) => counts.reduce((all, one) => all + of(one), 0);
  const [said, found] = [sum((one) => one.said), sum((one) => one.found)];
  return [
    ...[name, `${runs.length}`, `${runs.filter(({ problem }) => problem !== undefined).length}`],
    ...[`${found}/${said}`, `${sum((one) => one.invented)}`, `${sum((one) => one.duplicated)}`],
    ...[`${sum((one) => one.textEqual)}/${found}`, `${sum((one) => one.leadEqual ?? one.textEqual)}/${found}`],
    ...[`${sum((one) => one.marked)}`, `${sum((one) => one.silent.length)}`],
    runs.map(({ seed }) => seed).join(' '),
  ];
}

const told = ({ agent, seed }: RandomRun, what: string) =>
  `- ${agent}, seed ${seed}: \`${what.replaceAll('`', "'").replaceAll('|', '¦')}\``;

function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
