import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRecordings, VERSIONS } from '../compare/findRecordings.ts';
import { order } from '../launch/versions.ts';
import { formatFigures } from './formatFigures.ts';
import { type Counts, type Figures, measure } from './measure.ts';

/** A recording with its last figures, or a version that could not be played, with the reason. */
export interface FiguresRow {
  readonly agent: string;
  readonly version: string;
  /** Folder of the recording in its agent's folder. */
  readonly recording?: string;
  /** Figures of the recording with the current extractors. */
  readonly figures?: Figures;
  /** Counts of the live record, which had screens at other moments than the recording. */
  readonly live?: Counts;
  readonly problem?: string;
}

const FILE = join(VERSIONS, 'figures.json');
const README = new URL('../README.md', import.meta.url).pathname;
const [BEGIN, END] = ['<!-- versions: written by --measure -->', '<!-- end of versions -->'];

export function readFigures(): FiguresRow[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as FiguresRow[]) : [];
}

/** Reads all recordings of versions again, and updates figures.json and the table in the README. */
export async function measureAll(): Promise<void> {
  const before = new Map(readFigures().map((row) => [nameOf(row), row]));
  const rows: FiguresRow[] = [];
  for (const recording of findRecordings(VERSIONS)) {
    const { agent, version } = recording.expected;
    const row = { agent, version, recording: recording.name.slice(recording.name.indexOf('/') + 1) };
    const live = before.get(nameOf(row))?.live;
    rows.push({ ...row, figures: await measure(recording), ...(live && { live }) });
  }
  const isPlayed = ({ agent, version }: FiguresRow) =>
    rows.some((row) => row.agent === agent && row.version === version);
  save([...rows, ...[...before.values()].filter((row) => row.problem !== undefined && !isPlayed(row))]);
}

/** Replaces the row of the last run with the same name. */
export function saveRun(row: FiguresRow): void {
  save([...readFigures().filter((other) => nameOf(other) !== nameOf(row)), row]);
}

/** The table in the README. */
export function readTable(): string {
  const text = readFileSync(README, 'utf8');
  return text.slice(text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)).trim();
}

function save(rows: readonly FiguresRow[]): void {
  const sorted = [...rows].sort(
    (a, b) => a.agent.localeCompare(b.agent) || order(b.version, a.version) || byName(a, b),
  );
  writeFileSync(FILE, `[\n${sorted.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`);
  const text = readFileSync(README, 'utf8');
  const [head, tail] = [text.slice(0, text.indexOf(BEGIN) + BEGIN.length), text.slice(text.indexOf(END))];
  writeFileSync(README, `${head}\n${formatFigures(sorted)}\n${tail}`);
}

const nameOf = ({ agent, version, recording }: FiguresRow) => `${agent} ${recording ?? version}`;
const byName = (a: FiguresRow, b: FiguresRow) => nameOf(a).localeCompare(nameOf(b));
