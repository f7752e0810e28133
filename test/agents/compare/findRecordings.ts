import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import type { Expected } from './expected.ts';

const FIXTURES = new URL('../../fixtures/agents', import.meta.url).pathname;
/** Recordings of one short case with every version of every agent. The figures next to them show how well each is read, with faults. */
export const VERSIONS = join(FIXTURES, 'versions');

export interface FoundRecording {
  /** The folder: `<agent>/<version>-<case>`. */
  readonly name: string;
  /** Path of the asciicast, which ends in `.zst` if it is compressed. */
  readonly cast: string;
  readonly expected: Expected;
  /** The recording of the previous terminal, if the case uses several. */
  readonly before?: FoundRecording;
}

/** The rig's committed recordings, or those of another folder. */
export function findRecordings(folder = FIXTURES): FoundRecording[] {
  const agents = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = agents.flatMap(({ name }) => readdirSync(join(folder, name)).map((one) => `${name}/${one}`));
  const found = new Map<string, FoundRecording>();
  for (const name of names.filter((one) => existsSync(join(folder, one, 'expected.json'))).sort()) {
    const expected = JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8')) as Expected;
    const before = found.get(terminalBefore(name));
    found.set(name, { name, cast: castIn(join(folder, name)), expected, ...(before && { before }) });
  }
  return [...found.values()];
}

/** Name of the recording of the terminal before that of `name`; '' for the first terminal. */
function terminalBefore(name: string): string {
  const [, base, count] = /^(.*)-t(\d+)$/.exec(name) ?? [];
  if (base === undefined) return '';
  return count === '2' ? base : `${base}-t${Number(count) - 1}`;
}

function castIn(folder: string): string {
  const compressed = join(folder, 'session.cast.zst');
  return existsSync(compressed) ? compressed : join(folder, 'session.cast');
}

/** Reads an asciicast as text, decompressed if necessary. */
export function readCast(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8');
}
