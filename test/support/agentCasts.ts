import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../fixtures/agents/', import.meta.url);

export interface Recorded {
  name: string;
  cols: number;
  rows: number;
  /** The program's output, one string per event. */
  outputs: string[];
}

/** The recorded sessions of agents (asciicast 2 or 3), by name. */
export function readAgentCasts(): Recorded[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.cast'));
  return names.sort().map(readCast);
}

function readCast(name: string): Recorded {
  const lines = readFileSync(new URL(name, FOLDER), 'utf8').split('\n');
  const [header = '', ...rest] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const { width, height, term } = JSON.parse(header) as {
    width?: number;
    height?: number;
    term?: { cols: number; rows: number };
  };
  const events = rest.map((line) => JSON.parse(line) as [number, string, string]);
  const outputs = events.flatMap(([, code, data]) => (code === 'o' ? [data] : []));
  return { name, cols: term?.cols ?? width ?? 80, rows: term?.rows ?? height ?? 24, outputs };
}
